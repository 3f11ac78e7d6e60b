#!/usr/bin/env python3
"""Writes copies of the protocols in which one-line changes can be switched on, one at a time, by their numbers.

Each place that can be changed becomes a choice by a number that the program reads once at its start (mutant.hpp), so
that one build serves all mutants. Left out are the seeded bugs, what is constant, and what only describes a state:
names, rounds of messages, what can be forgotten.
"""
import argparse
import json
import pathlib
import re
from dataclasses import asdict, dataclass

OFF_BY_ONE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "!=", "!=": "=="}
COMPARISON = re.compile(r" (<=|>=|==|!=|<|>) ")
# A number of nodes that is a threshold of the papers: f + 1, 2f + 1, n, n - f.
THRESHOLD = re.compile(r"\b(?:\w+\.)?quorum\(\)|\brules(?:_|\(\))\.quorum\b|\b\w+\.fault_count \+ 1\b"
                       r"|\b\w+\.replica_count\b|\bthresholds\.\w+")
IS_QUORUM = re.compile(r"\b(\w+)\.is_quorum\(")
# Functions that say something about a state and are no rule of the protocol.
DESCRIBING = re.compile(r"^(ignores|forget\w*|fold\w*|contract\w*|\w*round_of|kind_of|subject_of|blocked\w*|progress\w*"
                        r"|\w*rules_of|thresholds_of|sketch\w*|summary\w*|view_of|relabel\w*|twist\w*|follow\w*)$")
# Neither the seeded bugs, nor what is constant, nor what keeps the program itself from going wrong.
LEFT_OUT = re.compile(r"\bBug::|\brules\w*\(?\w*\)?\.(?!quorum\b)|static_assert|constexpr"
                      r"|nullptr|\.end\(\)|push_back|overflow|NIKA_REQUIRE")

# Folders that are not called as their protocol is; of several protocols of one folder, the correct one.
PROTOCOLS = {"mmr": "mmr14-conf", "honeybadger": "honeybadger-acs"}


@dataclass
class Mutant:
    number: int
    file: str
    line: int
    text: str  # of the line
    operator: str
    before: str
    after: str


@dataclass
class Place:
    """A part of a file, and what it can be changed to: (operator, line, before, after, the new part)."""
    begin: int
    end: int
    is_statement: bool
    changes: list


def masked(text):
    """The same text with blanks instead of comments and what is in quotes."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def closing(text, opening):
    """Where the parenthesis that opens there is closed."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError("a parenthesis is never closed")


def parts_of(code, operator):
    """The ends of the operands of an operator that is in no parentheses; empty if there is none."""
    depth, begin, parts = 0, 0, []
    for at in range(len(code)):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(code[at], 0)
        if depth == 0 and code.startswith(operator, at):
            parts.append((begin, at))
            begin = at + len(operator)
    return parts + [(begin, len(code))] if parts else []


def one_line(text):
    return " ".join(text.split())


def changes_of_condition(text, code):
    """All changes of an expression that is true or false."""
    changes = []

    def add(operator, begin, end, new):
        changes.append((operator, begin, text[begin:end], new, text[:begin] + new + text[end:]))

    for match in COMPARISON.finditer(code):
        sign = match.group(1)
        if sign in OFF_BY_ONE:
            add("off by one", match.start(1), match.end(1), OFF_BY_ONE[sign])
        add("comparison flipped", match.start(1), match.end(1), FLIPPED[sign])
    for match in THRESHOLD.finditer(code):
        add("threshold off by one", match.start(), match.end(), f"({text[match.start():match.end()]} - 1)")
    for match in IS_QUORUM.finditer(code):
        end = closing(code, match.end() - 1)
        counted = f"({text[match.end():end]}).size() >= {match.group(1)}.quorum() - 1"
        add("threshold off by one", match.start(), end + 1, f"({counted})")
    for sign in (" && ", " || "):
        # Where both are there, the operands of || bind less.
        if sign == " && " and parts_of(code, " || "):
            continue
        parts = parts_of(code, sign)
        for number, (begin, end) in enumerate(parts):
            kept = [text[b:e] for i, (b, e) in enumerate(parts) if i != number]
            changes.append(("check dropped", begin, text[begin:end], "nothing", sign.join(kept)))
    return changes


def line_of(text, at):
    return text.count("\n", 0, at) + 1


def is_left_out(code, begin, end):
    first = code.rfind("\n", 0, begin) + 1
    last = code.find("\n", end)
    return LEFT_OUT.search(code[first:last]) is not None


def function_at(code, at):
    """The name of the function that a place is in; it begins in column 0 or, in a class, in column 2."""
    found = re.findall(r"^(?:  )?\S[^\n;={}]*?([\w]+)\([^\n;]*$", code[:at], re.M)
    names = [name for name in found if name not in ("if", "for", "while", "switch", "return")]
    return names[-1] if names else ""


def conditions(code):
    """Of if, of what is returned and of what is kept as a bool: where they begin and end, and whether it is an if."""
    for match in re.finditer(r"\bif \(", code):
        end = closing(code, match.end() - 1)
        inside = code[match.end():end]
        if ";" in inside or re.search(r"(?<![=!<>]) = ", inside):
            continue
        yield match.end(), end, True
    for match in re.finditer(r"\breturn ([^;{}]*);|\bconst bool \w+ =\s([^;{}]*);", code):
        group = 1 if match.group(1) is not None else 2
        inside = match.group(group)
        is_bool = group == 2 or parts_of(inside, " && ") or parts_of(inside, " || ") or COMPARISON.search(inside)
        if is_bool and " ? " not in inside and "[&]" not in inside and "[" not in inside:
            yield match.start(group), match.end(group), False


FIELD = re.compile(r"^  ([A-Z]\w*|std::u?int\d+_t|bool|int|unsigned) ([a-z]\w*)(?:\{[^;]*\}| = [^;]+)?;", re.M)


def registers(header):
    """The fields of each struct of a header, by their types: one list for each struct and type."""
    lists = []
    for match in re.finditer(r"^struct \w+ \{", header, re.M):
        by_type = {}
        for field in FIELD.finditer(header[match.end():closing(header, match.end() - 1)]):
            by_type.setdefault(field.group(1), []).append(field.group(2))
        lists += [names for names in by_type.values() if len(names) > 1]
    return lists


def other_register(name, lists):
    """The next field of the same struct and type; nothing if there is none, or if several structs have such a field."""
    own = [names for names in lists if name in names]
    return own[0][(own[0].index(name) + 1) % len(own[0])] if len(own) == 1 else None


ASSIGNMENT = re.compile(r"(?<=[\s)])((?:state_?|slot|tally)\.)(\w+) = ([^;={}]+|[^;=]+\{[^;{}]*\});")


def places_of(text, header=""):
    """All that can be changed in a file, in its order; no two places overlap."""
    code = masked(text)
    places = []
    for begin, end, can_be_dropped in conditions(code):
        if is_left_out(code, begin, end) or DESCRIBING.match(function_at(code, begin)):
            continue
        old = text[begin:end]
        changes = [(operator, begin + at, before, after, new)
                   for operator, at, before, after, new in changes_of_condition(old, code[begin:end])]
        if can_be_dropped and re.match(r"\)\s+return\b", code[end:]):
            changes.append(("check dropped", begin, f"if ({one_line(old)}) return", "nothing", "false"))
        if changes:
            places.append(Place(begin, end, False, changes))
    lists = registers(masked(header))
    for match in ASSIGNMENT.finditer(code):
        begin, end = match.start(1), match.end()
        if not re.search(r"(?:[;{}):]|\belse)\s*$", code[:begin]):
            continue  # not the whole statement: a = b = c;
        if is_left_out(code, begin, end) or DESCRIBING.match(function_at(code, begin)):
            continue
        old = text[begin:end]
        changes = [("update dropped", begin, old, "nothing", ";")]
        other = other_register(match.group(2), lists)
        if other:
            new = match.group(1) + other + old[len(match.group(1)) + len(match.group(2)):]
            changes.append(("wrong register", begin, old, new, new))
        places.append(Place(begin, end, True, changes))
    places.sort(key=lambda place: place.begin)
    apart = []
    for place in places:
        if not apart or place.begin >= apart[-1].end:
            apart.append(place)
    return apart


def chosen_evenly(items, count):
    """So many of them, evenly spread; all if there are fewer."""
    if len(items) <= count:
        return list(items)
    return [items[(2 * i + 1) * len(items) // (2 * count)] for i in range(count)]


def chosen_by_operator(candidates, count):
    """So many changes, of all operators alike as far as there are enough, each operator's evenly spread."""
    by_operator = {}
    for candidate in candidates:
        by_operator.setdefault(candidate[1][0], []).append(candidate)
    chosen, left = [], count
    for rest, operator in enumerate(sorted(by_operator, key=lambda o: (len(by_operator[o]), o))):
        share = left // (len(by_operator) - rest)
        picked = chosen_evenly(by_operator[operator], share)
        chosen += picked
        left -= len(picked)
    return sorted(chosen, key=lambda c: candidates.index(c))


def switched(text, places, chosen, first_number):
    """The text in which the chosen changes can be switched on, and these, numbered."""
    mutants, pieces, at = [], [], 0
    for number, place in enumerate(places):
        own = [change for index, change in chosen if index == number]
        if not own:
            continue
        old = text[place.begin:place.end]
        pieces.append(text[at:place.begin])
        choice = ""
        for operator, begin, before, after, new in own:
            line = line_of(text, begin)
            mutant = Mutant(first_number + len(mutants), "", line, text.splitlines()[line - 1].strip(), operator,
                            one_line(before), one_line(after))
            mutants.append(mutant)
            test = f"::nika::zoo::is_mutant({mutant.number})"
            if place.is_statement:
                choice += f"if ({test}) {{ {new} }} else "
            else:
                choice += f"{test} ? static_cast<bool>({new}) : "
        pieces.append(f"{{ {choice}{{ {old} }} }}" if place.is_statement else f"({choice}static_cast<bool>({old}))")
        at = place.end
    return "".join(pieces) + text[at:], mutants


def mutate_protocol(source, output, files, count, first_number):
    """Changes of one protocol, whose files are relative to the source."""
    texts, places, candidates = {}, {}, []
    for name in files:
        path = source / name
        texts[name] = path.read_text()
        headers = "".join(p.read_text() for p in sorted(path.parent.glob("*.hpp")))
        places[name] = places_of(texts[name], headers)
        candidates += [((name, i), change) for i, place in enumerate(places[name]) for change in place.changes]
    chosen = chosen_by_operator(candidates, count)
    mutants = []
    for name in files:
        own = [(i, change) for (file, i), change in chosen if file == name]
        text, made = switched(texts[name], places[name], own, first_number + len(mutants))
        for mutant in made:
            mutant.file = name
        mutants += made
        (output / name).parent.mkdir(parents=True, exist_ok=True)
        (output / name).write_text('#include "zoo/mutant.hpp"\n#line 1 "' + name + '"\n' + text)
    return mutants


def protocol_of(folder):
    return PROTOCOLS.get(folder, folder.replace("_", "-"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the folder of the protocols")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="where the copies and mutants.json go")
    parser.add_argument("--count", type=int, default=11, help="mutants of each protocol")
    parser.add_argument("files", nargs="+", help="of the protocols, relative to their folder")
    arguments = parser.parse_args()
    by_folder = {}
    for name in arguments.files:
        by_folder.setdefault(name.split("/")[0], []).append(name)
    mutants = []
    for folder, files in by_folder.items():
        made = mutate_protocol(arguments.source, arguments.output, files, arguments.count, len(mutants) + 1)
        mutants += [{"protocol": protocol_of(folder), **asdict(mutant)} for mutant in made]
    (arguments.output / "mutants.json").write_text(json.dumps(mutants, indent=1) + "\n")


if __name__ == "__main__":
    main()
