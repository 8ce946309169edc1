"""Debug mode: each thing it catches, in rules that are wrong in this one way, and nothing where it is off."""

import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.core import debug
from chainrules.core.caches import generation
from chainrules.core.reverse import reverse_rule
from chainrules.tangents import IndexedTangent

X = np.array([1.0, 2.0, 4.0])
ONES = np.ones(3)


def rule_with(back: Callable[[Any], Any], *, complete: bool = False, forward: Any = None) -> Any:
    """A new function x ↦ 2x whose pullback is `back`, and whose forward rule is `forward`."""

    def doubled(x: Any) -> Any:
        return 2.0 * x

    @cr.rrule(doubled, complete=complete)
    def doubled_rrule(x: np.ndarray):
        return 2.0 * x, back

    if forward is not None:

        @cr.frule(doubled, complete=complete)
        def doubled_frule(tangents, x: np.ndarray):
            return 2.0 * x, forward(tangents)

    return doubled


def write_seed(y_bar: Any) -> Any:
    y_bar *= 2.0
    return y_bar


def by_rule(f: Any) -> Any:
    """What the pullback gives, by the rule alone."""
    found = cr.apply_rrule(f, X)
    assert found is not None
    return found[1](ONES.copy())[0]


def by_engine(f: Any) -> Any:
    """The same by a whole program."""
    return cr.grad(lambda x: np.sum(f(x)))(X)


WAYS = pytest.mark.parametrize("derive", [by_rule, by_engine])
WRONG: list[Any] = [
    pytest.param(write_seed, False, "wrote into its seed", id="writes into the seed"),
    pytest.param(lambda y_bar: (write_seed(y_bar),), True, "wrote into its seed", id="and is complete"),
    pytest.param(lambda y_bar: (np.ones(2),), True, r"of a primal of shape \(3,\)", id="shape"),
    pytest.param(lambda y_bar: (y_bar.astype("f4"),), True, "float32, of a primal", id="dtype"),
    pytest.param(lambda y_bar: (1j * y_bar,), True, "complex128, of a primal", id="complex"),
    pytest.param(
        lambda y_bar: (IndexedTangent((4,), y_bar.dtype, 0, 1.0),), True, "4.*float64", id="indexed shape"
    ),
    pytest.param(lambda y_bar: y_bar, True, "did not return 1 cotangents", id="no tuple"),
    pytest.param(lambda y_bar: (y_bar, y_bar), True, "did not return 1 cotangents", id="too many"),
    pytest.param(
        lambda y_bar: y_bar.astype("f4"), False, "less precise than primal and seed", id="precision"
    ),
    pytest.param(lambda y_bar: y_bar.astype(int), False, "int64", id="whole numbers"),
    pytest.param(lambda y_bar: cr.Thunk(lambda: y_bar.astype(int)), False, "int64", id="in a thunk"),
]


@WAYS
@pytest.mark.parametrize(("back", "complete", "message"), WRONG)
def test_wrong_pullbacks_are_refused_by_name(derive: Any, back: Any, complete: bool, message: str) -> None:
    f = rule_with(back, complete=complete)
    with cr.debug_mode(), pytest.raises(cr.RuleContractError, match=message) as raised:
        cr.unthunk(derive(f))
    assert "doubled_rrule" in str(raised.value)
    assert __file__ in str(raised.value)
    assert "next:" in str(raised.value)


@WAYS
def test_a_rule_that_writes_into_its_argument(derive: Any) -> None:
    def g(x: Any) -> Any:
        return x

    @cr.rrule(g)
    def g_rrule(x: np.ndarray):
        x += 1.0
        return x, lambda y_bar: y_bar

    before = X.copy()
    with cr.debug_mode(), pytest.raises(cr.RuleContractError, match="it wrote into its argument 0"):
        derive(g)
    X[...] = before


@pytest.mark.parametrize(
    ("forward", "complete", "message"),
    [
        (lambda dx: write_seed(dx[0]), False, "it wrote into its tangent 0"),
        (lambda dx: dx[0].astype("f4"), True, "the tangent of the value is ndarray"),
        (lambda dx: dx[0].astype("f4"), False, "less precise"),
    ],
)
def test_wrong_forward_rules(forward: Any, complete: bool, message: str) -> None:
    f = rule_with(lambda y_bar: y_bar, complete=complete, forward=forward)
    with cr.debug_mode():
        for derive in (cr.apply_frule, cr.jvp):
            with pytest.raises(cr.RuleContractError, match=message):
                derive(f, (X,), (ONES.copy(),))


@pytest.fixture
def caught() -> Iterator[list[warnings.WarningMessage]]:
    with warnings.catch_warnings(record=True) as messages:
        warnings.simplefilter("always")
        yield messages


@pytest.mark.parametrize(
    ("derive", "what"),
    [
        (lambda: cr.grad(np.sqrt)(0.0), "numpy.sqrt: the cotangent of argument 0 has inf"),
        (lambda: cr.apply_rrule(np.sqrt, np.zeros(2))[1](np.ones(2)), "numpy.sqrt: the cotangent"),  # type: ignore[index]  # not None
        (lambda: cr.jvp(np.sqrt, (0.0,), (1.0,)), "numpy.sqrt: the tangent of the value has inf"),
        (lambda: cr.grad(lambda x: np.sum(np.exp(x)))(np.array([1e3])), "numpy.exp: the value has inf"),
        (lambda: by_rule(rule_with(lambda y_bar: y_bar * np.nan)), "the cotangent of argument 0 has NaN"),
        (
            lambda: cr.unthunk(by_rule(rule_with(lambda y_bar: cr.Thunk(lambda: y_bar * np.nan)))),
            "the cotangent of argument 0 has NaN",
        ),
    ],
)
def test_a_number_that_is_not_finite_is_a_warning_at_the_users_line(
    derive: Any, what: str, caught: list[warnings.WarningMessage]
) -> None:
    derive()
    assert not [w for w in caught if w.category is cr.NumericStabilityWarning]
    with cr.debug_mode():
        derive()
    (warning,) = [w for w in caught if w.category is cr.NumericStabilityWarning]
    assert what in str(warning.message)
    assert "_rrule" in str(warning.message) or "_frule" in str(warning.message)
    assert warning.filename == __file__


def test_the_rule_in_which_it_appeared_is_the_only_one_named(caught: list[warnings.WarningMessage]) -> None:
    with cr.debug_mode():
        cr.grad(lambda x: np.sum(np.sin(np.sqrt(3.0 * x))))(np.array([0.0, 1.0]))
        cr.grad(lambda x: np.sum(3.0 * x))(np.array([np.inf, np.nan]))  # what went in is not finite
    assert [str(w.message).partition(":")[0] for w in caught] == ["numpy.sqrt"]


@pytest.mark.parametrize("returned", ["another", "nothing"])
def test_an_add_into_that_returns_another_object(returned: str) -> None:
    def add_into(acc: Any) -> Any:
        return acc + 2.0 if returned == "another" else None

    t = cr.InplaceableThunk(add_into, lambda: np.full(3, 2.0))
    if returned == "another":
        np.testing.assert_array_equal(cr.accumulate(np.ones(3), t), np.full(3, 3.0))
    said = r"InplaceableThunk, returned .*\n.*\n  next:"
    with cr.debug_mode(), pytest.raises(cr.RuleContractError, match=said):
        cr.accumulate(np.ones(3), t)


def test_an_add_into_that_adds_nan(caught: list[warnings.WarningMessage]) -> None:
    t = cr.InplaceableThunk(lambda acc: np.add(acc, np.nan, out=acc), lambda: np.full(3, np.nan))
    with cr.debug_mode():
        cr.accumulate(np.ones(3), by_rule(rule_with(lambda y_bar: t)))
    assert ["NaN" in str(w.message) for w in caught] == [True]


def programs() -> list[tuple[Callable[[Any], Any], Any]]:
    return [
        (lambda x: np.sum(np.sin(x) * x[1] + x @ x), X),
        (lambda x: np.linalg.det(np.outer(x, x) + np.eye(3)), X),
        (lambda x: cr.grad(lambda z: np.sum(np.tanh(z) * z * x))(x).sum(), X),
        (lambda x: cr.jvp(lambda z: np.sum(np.exp(z) / z), (x,), (x,))[1], X),
        (lambda x: x[0] * x[1], [1.0, 2.0]),
        (lambda x: cr.grad(lambda z: np.sum(np.expand_dims(z, 0) ** 3))(x)[1], X),
        (lambda x: cr.grad(lambda z: np.sum(np.sort(z) ** 3 * x))(x)[0], X),
        (lambda x: cr.grad(lambda z: np.sum(np.abs(1j * z[0] * z) ** 2))(x)[1], X),
    ]


@pytest.mark.parametrize("program", range(8))
def test_right_programs_give_the_same_to_the_last_bit(program: int) -> None:
    f, x = programs()[program]
    expected = cr.grad(f)(x)
    with cr.debug_mode():
        watched = cr.grad(f)(x)
    assert np.array_equal(np.asarray(list(expected)), np.asarray(list(watched)))


def test_off_is_off() -> None:
    f = rule_with(write_seed)
    by_rule(f)
    before = type(reverse_rule(np.sin, (X,), {}, None, None))
    with pytest.raises(IndexError), cr.debug_mode(), cr.debug_mode():
        cr.grad(lambda x: np.sin(x)[len(x)])(X)
    with cr.debug_mode():
        assert type(reverse_rule(np.sin, (X,), {}, None, None)) is not before
    assert not debug.is_on()
    assert type(reverse_rule(np.sin, (X,), {}, None, None)) is before
    by_rule(f)


def test_nesting_does_not_forget_what_was_resolved() -> None:
    with cr.debug_mode():
        since = generation()
        with cr.debug_mode():
            assert generation() == since


def test_registrations_are_shown_to_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(debug, "_at_registration", [])
    debug.at_registration(lambda f, method: seen.append((f, method.name)))
    rule_with(write_seed)
    assert seen == []
    with cr.debug_mode():
        f = rule_with(write_seed)
    assert seen == [(f, "doubled_rrule")]


@pytest.mark.parametrize(("value", "on"), [("1", True), ("0", False), ("", False)])
def test_the_environment_switches_it_on(value: str, on: bool) -> None:
    code = "import chainrules.core.debug as d; print(d.is_on())"
    environment = os.environ | {"CHAINRULES_DEBUG": value}
    ran = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    assert ran.strip() == str(on)
