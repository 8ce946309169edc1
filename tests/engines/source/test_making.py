"""A program is made once for each use of a function, and making one leaves the process as it was."""

import ast
import gc

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.source.emitting import programs
from chainrules.engines.source.syntax import scopes as syntax
from chainrules.engines.source.syntax.collector import collector_resting


def bilinear(x, y):
    total = 0.0
    for i in range(3):
        if x[i] > 0.5:
            total = total + x[i] * y[i]
    return total


X, Y = np.array([0.25, 0.75, 1.0]), np.array([1.0, 2.0, 3.0])


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    modes: list[str] = []
    make = programs._make

    def counting(f, form):
        modes.append(form.mode)
        return make(f, form)

    monkeypatch.setattr(programs, "_make", counting)
    return modes


def test_a_program_is_made_once_for_each_mode_and_set_of_active_arguments(made: list[str]) -> None:
    for _ in range(2):
        cr.grad(bilinear)(X, Y)
    assert made == ["reverse"]
    for _ in range(2):
        cr.grad(bilinear, (0, 1))(X, Y)
        cr.jvp(bilinear, (X, Y), (Y, X))
    assert made == ["reverse", "reverse", "forward"]


def test_a_function_made_anew_in_each_call_is_transformed_once(made: list[str]) -> None:
    def scaled(a):
        return lambda x: a * x * x

    assert [cr.grad(scaled(a))(3.0) for a in (1.0, 2.0)] == [6.0, 12.0]
    assert made == ["reverse"]


@pytest.mark.parametrize("on", [True, False])
def test_the_collector_rests_and_is_left_as_it_was(on: bool) -> None:
    seen: list[bool] = []

    @collector_resting
    def failing() -> None:
        seen.append(gc.isenabled())
        raise KeyError

    was = gc.isenabled()
    try:
        (gc.enable if on else gc.disable)()
        with pytest.raises(KeyError):
            failing()
        assert seen == [False]
        assert gc.isenabled() == on
    finally:
        (gc.enable if was else gc.disable)()


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.parametrize("refused", [False, True])
def test_a_program_runs_with_the_collector_as_it_was(on: bool, refused: bool) -> None:
    seen: list[bool] = []

    def noting(x):
        seen.append(gc.isenabled())
        y = x * x
        return float(str(y)) if refused else y

    was = gc.isenabled()
    try:
        for derivative in (lambda: cr.grad(noting)(3.0), lambda: cr.jvp(noting, (3.0,), (1.0,))):
            (gc.enable if on else gc.disable)()
            if refused:
                with pytest.raises(cr.ChainRulesError):
                    derivative()
            else:
                derivative()
            assert gc.isenabled() == on
    finally:
        (gc.enable if was else gc.disable)()
    assert seen == [on, on]


def test_a_copied_tree_remembers_nothing_and_keeps_its_place() -> None:
    (s,) = ast.parse("\n  \na.b[i] = f(x) + z * w").body
    assert syntax.reads(s) == {"a", "i", "f", "x", "z", "w"}
    new = syntax.copied(s)
    assert ast.dump(new, include_attributes=True) == ast.dump(s, include_attributes=True)
    new.value = ast.Constant(1.0)
    assert syntax.reads(new) == {"a", "i"}
    assert syntax.reads(s) == {"a", "i", "f", "x", "z", "w"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a = b = c", {"a", "b"}),
        ("(a, *b), c[d] = e", {"a", "b"}),
        ("for a in b:\n    c = 1\nelse:\n    d: int = 2", {"a", "c", "d"}),
        ("with a as (b, c):\n    del d", {"b", "c", "d"}),
        ("x = [y for y in z if (w := y)]", {"x", "w"}),
        ("x = lambda y: (w := y)", {"x"}),
        ("def f(x):\n    y = 1", {"f"}),
        ("import a.b, c as d", {"a", "d"}),
        ("try:\n    a = 1\nexcept E as e:\n    b = 2\nfinally:\n    c = 3", {"a", "e", "b", "c"}),
        ("match a:\n    case {'k': b, **c}:\n        d = 1", {"b", "c", "d"}),
    ],
)
def test_what_a_statement_binds(text: str, names: set[str]) -> None:
    (s,) = ast.parse(text).body
    assert syntax.binds(s) == names
