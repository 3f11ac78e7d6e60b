#!/usr/bin/env python3
"""Runs `nika zoo` on every mutant of the protocols and tells which strategy notices which.

A mutant is killed if a strategy finds a violation of a property that the protocol keeps without the change, or if the
program fails: an assertion or a crash (failed), or no end in the time that it has (endless), which are told apart. It
is noticed, but not killed, if nothing is found and most runs of some strategy end unknown (unjudged).
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time


def run_zoo(program, protocol, number, arguments):
    """What the strategies made of a mutant; 0 is the protocol without a change."""
    command = [program, "zoo", "--protocol", protocol, "--bug", "none", "--threads", "1", "--quiet", "--json",
               "--budget", str(arguments.budget), "--seed", str(arguments.seed)]
    environment = dict(os.environ, NIKA_MUTANT=str(number))
    started = time.monotonic()
    # Processor time, so that it does not depend on what else the machine does.
    done = subprocess.run(command, env=environment, capture_output=True, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (arguments.seconds,) * 2))
    seconds = round(time.monotonic() - started, 1)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return {"outcome": "endless", "attempts": [], "seconds": seconds}
    if done.returncode not in (0, 1):
        words = done.stderr.decode(errors="replace").strip().splitlines()
        return {"outcome": "failed", "attempts": [], "seconds": seconds, "words": words[-1] if words else ""}
    row = json.loads(done.stdout)["rows"][0]
    return {"outcome": outcome_of(row), "attempts": row["attempts"], "seconds": seconds}


def outcome_of(row):
    if row["found"]:
        return "found"
    is_unjudged = any(2 * a["unknown"] > a["executions"] > 0 for a in row["attempts"])
    return "unjudged" if is_unjudged else "survived"


def killed(results):
    """How many were found, and how many made the program fail or never end."""
    count = {kind: sum(r["outcome"] == kind for r in results) for kind in ("found", "failed", "endless")}
    return count["found"], count["failed"] + count["endless"]


def found_by(result, strategy):
    return any(a["strategy"] == strategy and a["found"] for a in result["attempts"])


def can_try(results, strategy):
    return any(a["strategy"] == strategy and a["inapplicable"] is None for r in results for a in r["attempts"])


def table_of(results, strategies):
    """Markdown: a row for each protocol, and for each strategy how many of its mutants it finds."""
    lines = ["| protocol | mutants | killed | by failing | unjudged | " + " | ".join(strategies) + " |",
             "|---|---:|---:|---:|---:|" + "---:|" * len(strategies)]
    names = list(dict.fromkeys(r["protocol"] for r in results))
    for name in names + ["all"]:
        own = [r for r in results if name in (r["protocol"], "all")]
        found, failed = killed(own)
        cells = [str(sum(found_by(r, s) for r in own)) if can_try(own, s) else "n/a" for s in strategies]
        unjudged = sum(r["outcome"] == "unjudged" for r in own)
        lines.append(f"| {name} | {len(own)} | {found + failed} | {failed} | {unjudged} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def title_of(mutant):
    if mutant["number"] == 0:
        return f"{mutant['protocol']} unchanged"
    change = f"`{mutant['before']}` to `{mutant['after']}`"
    return f"{mutant['file']}:{mutant['line']} {mutant['operator']}: {change} in `{mutant['text']}`"


def run_all(program, mutants, arguments):
    results = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = [pool.submit(run_zoo, program, m["protocol"], m["number"], arguments) for m in mutants]
        for mutant, future in zip(mutants, running):
            results.append({**mutant, **future.result()})
            print(f"{mutant['number']} of {len(mutants)} {results[-1]['outcome']}: {title_of(mutant)}", file=sys.stderr)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="nika_mutants")
    parser.add_argument("--mutants", type=pathlib.Path, required=True, help="mutants.json of mutate.py")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="where all of it is written, as JSON")
    parser.add_argument("--budget", type=int, default=5000, help="executions of each strategy for each mutant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=120, help="of the processor, after which a mutant is endless")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time")
    arguments = parser.parse_args()
    mutants = json.loads(arguments.mutants.read_text())
    started = time.monotonic()
    unchanged = [{"number": 0, "protocol": p, "outcome": ""}
                 for p in dict.fromkeys(m["protocol"] for m in mutants)]
    for result in run_all(arguments.program, unchanged, arguments):
        if result["outcome"] != "survived":
            sys.exit(f"{result['protocol']} does not survive without a change: its mutants show nothing")
    results = run_all(arguments.program, mutants, arguments)
    strategies = list(dict.fromkeys(a["strategy"] for r in results for a in r["attempts"]))
    arguments.output.write_text(json.dumps({"budget": arguments.budget, "seed": arguments.seed,
                                            "mutants": results}, indent=1) + "\n")
    print(table_of(results, strategies))
    print("\nSurvivors:")
    for result in results:
        if result["outcome"] in ("survived", "unjudged"):
            print(f"{result['number']}. {title_of(result)} ({result['outcome']})")
    print(f"\n{len(results)} mutants in {time.monotonic() - started:.0f} s; all of it is in {arguments.output}")


if __name__ == "__main__":
    main()
