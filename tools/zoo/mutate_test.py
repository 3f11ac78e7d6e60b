"""The operators of mutate.py on small texts."""
import unittest

import mutate

HEADER = """
struct State {
  Round view{};
  Round locked{};
  bool is_ready = false;
};
struct Other {
  ValueId only{};
};
"""

RULE = """
void receive(Identity from, const Vote& vote) {
  if (vote.view < state_.view || !is_leader(from)) return;  // if (a < b) return
  if (context_.is_quorum(state_.voters)) state_.locked = vote.view;
}
"""


def changes_in(text, header=""):
    return [(operator, mutate.one_line(before), mutate.one_line(after))
            for place in mutate.places_of(text, header) for operator, _, before, after, _ in place.changes]


class Operators(unittest.TestCase):
    def test_each_part_of_a_rule_is_changed_in_each_way(self):
        self.assertEqual(changes_in(RULE, HEADER), [
            ("off by one", "<", "<="),
            ("comparison flipped", "<", ">"),
            ("check dropped", "vote.view < state_.view", "nothing"),
            ("check dropped", "!is_leader(from)", "nothing"),
            ("check dropped", "if (vote.view < state_.view || !is_leader(from)) return", "nothing"),
            ("threshold off by one", "context_.is_quorum(state_.voters)",
             "((state_.voters).size() >= context_.quorum() - 1)"),
            ("update dropped", "state_.locked = vote.view;", "nothing"),
            ("wrong register", "state_.locked = vote.view;", "state_.view = vote.view;"),
        ])

    def test_thresholds_are_one_less(self):
        self.assertEqual(changes_in("bool f() {\n  return votes >= context.quorum();\n}\n")[-1],
                         ("threshold off by one", "context.quorum()", "(context.quorum() - 1)"))

    def test_flags_constants_descriptions_and_checks_of_memory_stay(self):
        for line in ("if (has(Bug::kQuorum2f) && a < b) return;", "if (rules_.locks && a < b) return;",
                     "constexpr bool x = a < b;", "if (tally == nullptr) return;",
                     "if (!list.push_back(x)) return;", "if (const auto x = f(); x < 2) return;",
                     "a = state_.view = b;"):
            self.assertEqual(changes_in("void receive() {\n  " + line + "\n}\n"), [], line)
        self.assertEqual(changes_in("bool ignores(const State& state) {\n  return state.a < state.b;\n}\n"), [])

    def test_protocols_are_called_as_their_folders_or_as_said(self):
        self.assertEqual([mutate.protocol_of(f) for f in ("pbft", "xrp_lcp", "mmr", "honeybadger")],
                         ["pbft", "xrp-lcp", "mmr14-conf", "honeybadger-acs"])

    def test_a_register_has_no_other_unless_one_struct_tells(self):
        self.assertIsNone(mutate.other_register("only", mutate.registers(HEADER)))
        self.assertEqual(mutate.other_register("view", mutate.registers(HEADER)), "locked")
        self.assertIsNone(mutate.other_register("view", mutate.registers(HEADER + HEADER.replace("State", "Copy"))))


class Copies(unittest.TestCase):
    def test_a_chosen_change_is_switched_by_its_number_and_all_else_stays(self):
        text = "void f() {\n  if (a < b) return;\n  state_.view = a;\n}\n"
        places = mutate.places_of(text, HEADER)
        chosen = [(0, places[0].changes[0]), (1, places[1].changes[0])]
        copy, mutants = mutate.switched(text, places, chosen, 7)
        self.assertEqual(copy, "void f() {\n  if ((::nika::zoo::is_mutant(7) ? static_cast<bool>(a <= b) : "
                               "static_cast<bool>(a < b))) return;\n"
                               "  { if (::nika::zoo::is_mutant(8)) { ; } else { state_.view = a; } }\n}\n")
        self.assertEqual([(m.number, m.line, m.text, m.operator) for m in mutants],
                         [(7, 2, "if (a < b) return;", "off by one"), (8, 3, "state_.view = a;", "update dropped")])

    def test_changes_are_spread_over_operators_and_lines(self):
        self.assertEqual(mutate.chosen_evenly(list(range(10)), 2), [2, 7])
        self.assertEqual(mutate.chosen_evenly([1], 2), [1])
        candidates = [(0, ("a",)), (1, ("b",)), (2, ("b",)), (3, ("b",)), (4, ("b",))]
        self.assertEqual(mutate.chosen_by_operator(candidates, 3), [candidates[0], candidates[2], candidates[4]])


if __name__ == "__main__":
    unittest.main()
