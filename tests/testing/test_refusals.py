"""A second derivative that a rule refuses by name is counted apart; a first one is a failure."""

import json
from typing import Any

import numpy as np
import pytest

from chainrules.core import NotDifferentiableError, reverse_only, rrule
from chainrules.testing import CheckError, check_rule
from chainrules.testing.command import run
from chainrules.testing.refusals import refusal

RULES = """
import numpy as np
import chainrules as cr
from chainrules.core import NotDifferentiableError
from chainrules.tangents import NotImplementedTangent

def cube(x): return x**3
def slope(x): return 3.0 * x * x

cr.scalar_rule(cube, lambda y, x: slope(x))
cr.scalar_rule(slope, lambda y, x: NotImplementedTangent("the second derivative of cube"))
"""
CASES = """
import numpy as np
import {name}
from chainrules.testing import declare, exempt

CASES = [declare({name}.cube, np.array([0.5, 1.2])){more}]
EXEMPT = [{exempt}]
"""
SETTINGS = """
[tool.chainrules.cases]
{name} = "checks"
"""


@pytest.fixture
def report(tmp_path, monkeypatch, capsys) -> Any:
    """What the command reports of the package, where the slope is exempt or a case."""

    def of(name: str, more: str, exempt: str) -> tuple[int, dict[str, Any], str]:
        (tmp_path / f"{name}.py").write_text(RULES, encoding="utf-8")
        (tmp_path / "checks").mkdir()
        cases = CASES.format(name=name, more=more, exempt=exempt)
        (tmp_path / "checks" / f"cases_{name}.py").write_text(cases, encoding="utf-8")
        (tmp_path / "pyproject.toml").write_text(SETTINGS.format(name=name), encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        monkeypatch.syspath_prepend(str(tmp_path))
        status = run(["check", name, "--order", "2", "--json", "report.json"])
        shown = capsys.readouterr().out
        return status, json.loads((tmp_path / "report.json").read_text(encoding="utf-8")), shown

    return of


def test_a_second_derivative_that_is_refused_is_counted_apart(report):
    status, found, shown = report("cubes", "", 'exempt(cubes.slope, why="its derivative is not known")')
    assert (status, found["failed"], found["refused"]) == (0, 0, 1)
    assert "the second derivative of cube" in found["rules"][0]["refused"][0]
    assert "1 whose rules refuse a second derivative" in shown


def test_a_first_derivative_that_is_refused_is_a_failure(report):
    status, found, shown = report("powers", ", declare(powers.slope, np.array([0.5, 1.2]))", "")
    assert (status, found["failed"], found["refused"]) == (1, 1, 1)
    assert "this derivative is not implemented: the second derivative of cube" in shown


def test_what_counts_as_a_refusal():
    def f(x):
        return x * 1.0

    @rrule(f)
    def f_rrule(x: np.ndarray):
        raise NotDifferentiableError("f has no derivative here", next="go elsewhere")

    reverse_only(f, why="a test")
    with pytest.raises(CheckError) as caught:
        check_rule(f, np.ones(2))
    assert refusal(caught.value) == "f has no derivative here"

    def g(x):
        return x * 1.0

    @rrule(g)
    def g_rrule(x: np.ndarray):
        return x * 1.0, lambda y_bar: 2.0 * y_bar

    reverse_only(g, why="a test")
    with pytest.raises(CheckError) as caught:
        check_rule(g, np.ones(2))
    assert refusal(caught.value) is None
