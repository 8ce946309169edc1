"""Ordinary programs that are entered as in the call before: what may be another call is looked at anew."""

import types
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import Settings, specialised_after
from chainrules.engines.specialised.running.straight import Straight


@pytest.fixture
def entered(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was answered straight, in a time without specialised texts."""
    answers: list[Any] = []
    answer = Straight.answer

    def noted(self: Straight, f: types.FunctionType, x: tuple[Any, ...]) -> Any:
        answers.append(answer(self, f, x))
        return answers[-1]

    monkeypatch.setattr(Straight, "answer", noted)
    return answers


def several(f: Any, *x: Any, times: int = 3, **how: Any) -> list[Any]:
    g = cr.grad(f, **how)
    with specialised_after(10**6):
        return [g(*x) for _ in range(times)]


def test_the_second_call_is_entered_straight(entered: list[Any]) -> None:
    def f(x: float) -> float:
        return x * x * x

    assert several(f, 2.0) == [12.0] * 3
    assert entered[-1] == (8.0, 12.0)  # rules that the first call loads make it the first again


@pytest.mark.parametrize(
    "x", [np.float64(2.0), 2, np.array([2.0, 1.0]), np.float32(2.0), np.array([2.0], np.float32), 2.0 + 1.0j]
)
def test_gradients_have_the_types_of_the_first(x: Any) -> None:
    def f(x: Any) -> Any:
        return np.sum(np.abs(x) * np.abs(x))

    first, *others = several(f, x)
    for again in others:
        assert type(again) is type(first)
        np.testing.assert_array_equal(again, first)
        assert getattr(again, "dtype", None) == getattr(first, "dtype", None)


def test_several_arguments_and_their_order(entered: list[Any]) -> None:
    def f(a: float, b: Any, n: int) -> Any:
        return a * np.sum(b) ** n

    first, second, third = several(f, 2.0, np.ones(2), 3, argnums=(1, 0))
    assert entered[0] is not None
    for found in (second, third):
        np.testing.assert_allclose(found[0], first[0])
        assert found[1] == first[1] == 8.0


def test_a_function_in_a_captured_variable_may_be_another(entered: list[Any]) -> None:
    scale: Any = 3.0

    def f(x: float) -> Any:
        return scale * x if isinstance(scale, float) else scale(x)

    with specialised_after(10**6):
        g = cr.grad(f)
        assert [g(2.0) for _ in range(3)] == [3.0, 3.0, 3.0]
        scale = np.square
        assert [g(2.0), g(2.0)] == [4.0, 4.0]
    assert entered[0] == (6.0, 3.0)
    assert set(entered[1:]) == {None}


def test_a_variable_that_is_deleted_is_named_by_python() -> None:
    scale = 3.0

    def f(x: float) -> float:
        return scale * x  # noqa: F821  it is deleted below

    with specialised_after(10**6):
        g = cr.grad(f)
        assert [g(2.0) for _ in range(3)] == [3.0, 3.0, 3.0]
        del scale
        with pytest.raises(NameError, match="scale"):
            g(2.0)


def test_a_rule_that_is_registered_is_used() -> None:
    def f(x: float) -> float:
        return x * x

    with specialised_after(10**6):
        g = cr.grad(f)
        assert [g(2.0), g(2.0)] == [4.0, 4.0]
        cr.scalar_rule(f, lambda x, y: 7.0)
        assert g(2.0) == 7.0


def test_other_code_and_other_defaults() -> None:
    def f(x: float, k: Any = 3.0) -> Any:
        return x * k

    def other(x: float, k: Any = 3.0) -> Any:
        return x * k * k

    with specialised_after(10**6):
        g = cr.grad(f)
        assert [g(2.0) for _ in range(3)] == [3.0, 3.0, 3.0]
        f.__defaults__ = (5.0,)
        assert [g(2.0), g(2.0)] == [5.0, 5.0]
        f.__code__ = other.__code__
        assert [g(2.0), g(2.0)] == [25.0, 25.0]


def test_effects_happen_once_in_each_call() -> None:
    calls: list[float] = []

    def f(x: float) -> float:
        calls.append(1.0)
        return x * x

    assert several(f, 3.0, times=4) == [6.0] * 4
    assert len(calls) == 4


def test_an_argument_that_is_changed_is_changed_once_in_each_call() -> None:
    def f(x: Any) -> Any:
        x *= 2.0
        return np.sum(x * x)

    x = np.array([1.0, 2.0])
    with specialised_after(10**6):
        g = cr.grad(f)
        for k in range(3):
            np.testing.assert_allclose(g(x), 8.0 * 2**k * np.array([1.0, 2.0]))
    np.testing.assert_allclose(x, [8.0, 16.0])


def test_what_is_raised_is_raised_again_and_leaves_nothing_locked() -> None:
    def f(x: Any) -> Any:
        y = x * x
        if y[0] > 3.0:
            raise ValueError("too large")
        return np.sum(y)

    with specialised_after(10**6):
        g, x = cr.grad(f), np.array([1.0, 2.0])
        assert [*g(x), *g(x)] == [2.0, 4.0, 2.0, 4.0]
        with pytest.raises(ValueError, match="too large"):
            g(2 * x)
        x[0] = 0.5
        np.testing.assert_allclose(g(x), [1.0, 4.0])


def test_gradients_of_gradients_and_warnings() -> None:
    def f(x: float) -> float:
        return x**3

    def nothing(x: float) -> float:
        return 2.0

    with specialised_after(10**6):
        g = cr.grad(f)
        assert [g(2.0), g(2.0)] == [12.0, 12.0]
        assert cr.grad(g)(2.0) == 12.0
        g = cr.grad(nothing)
        for _ in range(3):
            with pytest.warns(cr.ZeroDerivativeWarning):
                assert g(2.0) == 0.0


def test_a_value_that_is_not_real_is_refused_again() -> None:
    def f(x: Any) -> Any:
        return x * x

    with specialised_after(10**6):
        g = cr.grad(f)
        assert [g(2.0), g(2.0)] == [4.0, 4.0]
        for _ in range(2):
            with pytest.raises(cr.NonScalarOutputError):
                g(np.ones(2))


def test_a_callee_without_source_that_is_met_later() -> None:
    made: dict[str, Any] = {}
    exec(compile("def cube(x):\n    return x * x * x", "<made>", "exec"), made)
    cube = made["cube"]
    globals()["_cube"] = cube

    def f(x: float) -> Any:
        return _cube(x) if x > 5.0 else x * x  # type: ignore[name-defined]  # noqa: F821  set above

    with specialised_after(10**6):
        g = cr.grad(f)
        assert [g(2.0), g(2.0), g(2.0)] == [4.0, 4.0, 4.0]
        with pytest.warns(UserWarning, match="the source of cube cannot be had"):
            assert [g(6.0), g(6.0)] == [108.0, 108.0]


def test_programs_are_entered_straight_where_none_are_specialised(
    entered: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def f(x: float) -> float:
        return x * x

    monkeypatch.setattr(Settings, "on", False)
    g = cr.grad(f)
    assert [g(2.0) for _ in range(4)] == [4.0] * 4
    assert entered[-1] == (4.0, 4.0)
