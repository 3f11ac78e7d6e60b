"""What run.py makes of what the strategies tell."""
import unittest

import run


def attempt(strategy, found=False, unknown=0, inapplicable=None):
    return {"strategy": strategy, "found": found, "executions": 10, "unknown": unknown, "inapplicable": inapplicable}


class Outcomes(unittest.TestCase):
    def test_found_survived_and_unjudged_are_told_apart(self):
        self.assertEqual(run.outcome_of({"found": True, "attempts": [attempt("twins", True)]}), "found")
        self.assertEqual(run.outcome_of({"found": False, "attempts": [attempt("twins", unknown=5)]}), "survived")
        self.assertEqual(run.outcome_of({"found": False, "attempts": [attempt("twins", unknown=6)]}), "unjudged")

    def test_the_table_counts_by_protocol_and_strategy(self):
        results = [{"protocol": "a", "outcome": "found", "attempts": [attempt("twins", True), attempt("fuzz")]},
                   {"protocol": "a", "outcome": "failed", "attempts": []},
                   {"protocol": "b", "outcome": "survived",
                    "attempts": [attempt("twins"), attempt("fuzz", inapplicable="no")]}]
        self.assertEqual(run.table_of(results, ["twins", "fuzz"]).splitlines()[2:],
                         ["| a | 2 | 2 | 1 | 0 | 1 | 0 |", "| b | 1 | 0 | 0 | 0 | 0 | n/a |",
                          "| all | 3 | 2 | 1 | 0 | 1 | 0 |"])


if __name__ == "__main__":
    unittest.main()
