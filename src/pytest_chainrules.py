"""The pytest plugin: seeds and settings for checks, and a test for every rule of a package.

It stands outside the package, so that pytest starts without importing NumPy and the rest; everything
below imports chainrules when it is first used.

    @pytest.mark.chainrules_rules("mypackage")       # cases: [tool.chainrules.cases] of pyproject.toml,
    def test_rule(check_declared):                   # or cases=["tests/rules"] here
        check_declared()

makes one test of each declared case, and one that fails of each rule without a case. A table of the
rules ends the run. `@pytest.mark.chainrules(rtol=1e-4, side="right")` gives settings to the checks of
one test, `--chainrules-seed` their seed to all; the fixture `chainrules_seed` is that number.
"""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from typing import Any

import pytest

PARAMETER = "check_declared"
PROPERTY = "chainrules"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option `--chainrules-seed`."""
    parser.getgroup("chainrules").addoption(
        "--chainrules-seed",
        type=int,
        metavar="N",
        help="Seed of the random directions in which derivative rules are checked (default: 0).",
    )


def pytest_configure(config: pytest.Config) -> None:
    """The two markers."""
    config.addinivalue_line(
        "markers", "chainrules(**settings): settings of the checks in a test: seed, rtol, atol, side, …"
    )
    config.addinivalue_line(
        "markers",
        "chainrules_rules(package, cases=()): a test of every rule of a package, from its declared cases, "
        f"by a parameter {PARAMETER}",
    )


@pytest.fixture
def chainrules_seed(request: pytest.FixtureRequest) -> int:
    """The seed of the run: what `--chainrules-seed` says, or 0."""
    return request.config.getoption("--chainrules-seed") or 0


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each case of a package's rules, and for each rule without one."""
    marker = metafunc.definition.get_closest_marker("chainrules_rules")
    if marker is None:
        return
    if not marker.args or PARAMETER not in metafunc.fixturenames:
        raise pytest.Collector.CollectError(
            f"chainrules_rules wants the name of a package and a test that takes {PARAMETER}:\n"
            f'  @pytest.mark.chainrules_rules("mypackage")\n  def test_rule({PARAMETER}): {PARAMETER}()'
        )
    from chainrules.core import ChainRulesError
    from chainrules.testing.each import checks_of

    try:
        package, cases = marker.args[0], marker.kwargs.get("cases", ())
        checks = checks_of(package, cases, metafunc.config.rootpath)
    except ChainRulesError as error:
        raise pytest.Collector.CollectError(str(error)) from error
    metafunc.parametrize(PARAMETER, checks, ids=list(map(str, checks)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """The settings around a test, and what a declared check measured beside it."""
    seed = item.config.getoption("--chainrules-seed")
    marker = item.get_closest_marker("chainrules")
    check = getattr(getattr(item, "callspec", None), "params", {}).get(PARAMETER)
    settings = ({} if seed is None else {"seed": seed}) | ({} if marker is None else dict(marker.kwargs))
    if not settings and check is None:
        return (yield)
    from chainrules.testing import checking
    from chainrules.testing.measure import measuring

    start = time.perf_counter()
    with checking(**settings), measuring() if check is not None else nullcontext() as measure:
        try:
            return (yield)
        finally:
            if check is not None and measure is not None:
                entry = check.entry
                row = [entry.name, list(entry.modes), measure.worst, time.perf_counter() - start]
                item.user_properties.append((PROPERTY, json.dumps(row)))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The table: rule, modes, cases, worst error, time."""
    rows: dict[str, tuple[str, list[float], float, list[str]]] = {}
    for outcome, row in _measured(terminalreporter.stats):
        name, modes, worst, seconds = row
        _, errors, total, outcomes = rows.get(name, ("", [], 0.0, []))
        errors = errors if worst is None else [*errors, worst]
        rows[name] = "+".join(m[:3] for m in modes), errors, total + seconds, [*outcomes, outcome]
    if not rows:
        return
    width = max(map(len, rows))
    terminalreporter.section("derivative rules")
    terminalreporter.line(f"{'rule':{width}}  modes    cases  worst error  seconds")
    for name, (modes, errors, total, outcomes) in sorted(rows.items()):
        worst = f"{max(errors):.1e}" if errors else ""
        failed = outcomes.count("failed")
        terminalreporter.line(
            f"{name:{width}}  {modes:7}  {len(outcomes):5}  {worst:>11}  {total:7.2f}"
            + (f"  {failed} failed" if failed else ""),
            red=failed > 0,
        )


def _measured(stats: dict[str, list[Any]]) -> Iterator[tuple[str, Any]]:
    """(outcome, row) of every declared check that ran, here or in another process."""
    for outcome in ("passed", "failed"):
        for report in stats.get(outcome, ()):
            if report.when == "call":
                yield from ((outcome, json.loads(v)) for k, v in report.user_properties if k == PROPERTY)
