"""The runner: each gradient is held to the hand-written one, then timed; the report is written."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import (
    chain,
    classifier,
    directions,
    dispatch,
    import_time,
    in_autograd,
    in_jax,
    in_pytensor,
    in_torch,
    indexing_loop,
    kalman,
    latency,
    layers,
    linear_maps,
    matrices,
    mixture,
    projection,
    ray_tracer,
    rk4,
    special,
    stores,
)
from benchmarks.case import Case, checked
from benchmarks.engines import ENGINES, as_numpy, installed, versions
from benchmarks.report import Report, Row
from benchmarks.timing import medians

QUESTIONS: tuple[Any, ...] = (
    chain,
    indexing_loop,
    mixture,
    classifier,
    rk4,
    ray_tracer,
    kalman,
    layers,
    stores,
)
RESULTS = Path(__file__).with_name("RESULTS.md")
README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- costs -->", "<!-- end of costs -->"


def main(arguments: list[str]) -> int:
    """Exit status 0; a wrong gradient ends the run with an error that names it."""
    options = parse(arguments)
    engines = installed(options.engines)
    rounds = 1 if options.tiny else options.rounds
    report = Report(engines, circumstances(engines, rounds))
    report.notes += [
        f"{name} is not installed and left out." for name in options.engines if name not in engines
    ]
    for question in QUESTIONS:
        for case in question.cases(question.TINY) if options.tiny else question.cases():
            print(f"{case.name} …", file=sys.stderr, flush=True)
            report.rows.append(measured(case, engines, rounds))
    along = []
    for question in QUESTIONS:
        for case in question.cases(question.TINY) if options.tiny else question.cases()[:1]:
            print(f"{case.name}, directions …", file=sys.stderr, flush=True)
            along.append(directions.measured(case, rounds))
    report.directions = directions.markdown(along)
    report.pairs = [
        timed_pair(pair, rounds)
        for part in (dispatch, matrices, projection, in_jax, in_torch, in_autograd, in_pytensor)
        for pair in part.pairs()
    ]
    costs = [special.cost(family, rounds) for family in special.families(10 if options.tiny else 1000)]
    report.special = special.markdown(costs)
    maps = linear_maps.families(256) if options.tiny else linear_maps.families()
    report.linear = linear_maps.markdown([linear_maps.cost(family, rounds) for family in maps])
    if not options.tiny:
        print("first gradients …", file=sys.stderr, flush=True)
        report.latencies = [
            (f"{kind.__name__}, {mode}", kind(mode))
            for mode in ("reverse", "forward")
            for kind in (latency.warm, latency.cold)
        ]
        base = "import numpy, plum"
        report.imports = import_time.seconds("import chainrules", base), import_time.seconds(base)
    print(report.markdown())
    if options.write:
        RESULTS.write_text(report.markdown(), encoding="utf-8")
        README.write_text(
            with_summary(README.read_text(encoding="utf-8"), report.summary()), encoding="utf-8"
        )
    return 0


def with_summary(page: str, summary: str) -> str:
    """The page with this table between its two marks."""
    before, _, rest = page.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise SystemExit(f"README.md has not both marks {BEGIN} and {END}: put them around its table")
    return f"{before}{BEGIN}\n{summary}\n{END}{after}"


def parse(arguments: list[str]) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--tiny", action="store_true", help="one round of tiny cases, to see that all is well"
    )
    parser.add_argument(
        "--rounds", type=int, default=31, help="interleaved rounds, of which the median counts"
    )
    parser.add_argument(
        "--engines", nargs="+", choices=ENGINES, default=list(ENGINES), help="which to compare"
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help=f"write the report to {RESULTS.name}, its summary to {README.name}",
    )
    return parser.parse_args(arguments)


def measured(case: Case, engines: list[str], rounds: int) -> Row:
    """One row: every engine checked first, then all of them timed in turns."""
    contestants: dict[str, Callable[[], Any]] = {"by hand": case.hand_written}
    compiling = None
    for name in engines:
        if name not in case.left_out:
            prepared = ENGINES[name](case)
            checked(case, name, as_numpy(prepared.run()))
            contestants[name] = prepared.run
            compiling = prepared.compiling or compiling
    times = medians(contestants, rounds)
    return Row(case.name, times.pop("by hand"), times, compiling)


def timed_pair(pair: dispatch.Pair, rounds: int) -> tuple[str, str, float, float]:
    """Something of ours beside bare NumPy."""
    times = medians({"ours": pair.ours, "bare": pair.bare}, rounds)
    return pair.name, pair.bare_name, times["ours"], times["bare"]


def circumstances(engines: list[str], rounds: int) -> str:
    """How the numbers came about."""
    return (
        "Each cell is a ratio: the time of value and gradient over that of the gradient written by hand "
        f"in NumPy, medians of {rounds} interleaved rounds in one process, on one thread. Every gradient "
        "agreed with the hand-written one before it was timed. "
        f"Python {platform.python_version()} on {platform.machine()}; {versions(engines)}. "
        "`python -m benchmarks --write` makes this page."
    )
