"""The forward half of the contract: tangents in, `(value, tangent)` out, held to the same terms."""

from typing import Any

import numpy as np
import pytest
from tests.core.calls import pushed

import chainrules as cr


def product() -> tuple[Any, list[Any]]:
    """A product of two numbers, and the tangents that its author's rule saw."""
    seen: list[Any] = []

    def f(x, y, axis=None):
        return x * y

    @cr.frule(f)
    def f_frule(tangents, x: cr.Array, y: cr.Array, *, axis=None):
        seen.append(tangents)
        dx, dy = tangents
        return x * y, cr.add(
            cr.zero_tangent(x) if dx is cr.Zero() else y * dx, x * cr.materialize(dy, like=y)
        )

    return f, seen


def test_the_rule_gets_one_tangent_for_each_data_argument() -> None:
    f, seen = product()
    assert pushed(f, (2.0, 3.0), (1.0, 10.0)) == (6.0, 23.0)
    assert pushed(f, (2.0, 3.0), (cr.Zero(), 10.0)) == (6.0, 20.0)
    assert pushed(f, (2.0, 3.0), (cr.NoTangent(), cr.Thunk(lambda: 1.0))) == (6.0, 2.0)
    assert seen == [(1.0, 10.0), (cr.Zero(), 10.0), (cr.Zero(), 1.0)]


def test_where_nothing_moves_the_author_is_not_asked() -> None:
    f, seen = product()
    assert pushed(f, (2.0, 3.0), (cr.Zero(), cr.NoTangent())) == (6.0, cr.Zero())
    assert seen == []


MISSING = cr.NotImplementedTangent("later")


@pytest.mark.parametrize(
    ("f", "x"), [(product()[0], (2.0, 3.0)), (np.multiply, (2.0, 3.0)), (np.hypot, (2.0, 3.0))]
)
@pytest.mark.parametrize("dx", [(MISSING, 1.0), (1.0, MISSING), (MISSING, cr.Zero())])
def test_what_is_missing_stays_missing_and_is_never_taken_for_zero(f: Any, x: Any, dx: Any) -> None:
    y, dy = pushed(f, x, dx)
    assert y == f(*x)
    assert dy is MISSING


def test_a_lazy_rule_gets_tangents_as_they_are() -> None:
    seen: list[Any] = []

    def f(x):
        return x

    @cr.frule(f, lazy_seed=True)
    def f_frule(tangents, x: float):
        seen.extend(map(type, tangents))
        return x, cr.unthunk(tangents[0])

    assert pushed(f, (1.0,), (cr.Thunk(lambda: 2.0),)) == (1.0, 2.0)
    assert pushed(f, (1.0,), (cr.Zero(),)) == (1.0, cr.Zero())
    assert seen == [cr.Thunk, cr.Zero]


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (3.0, "it returned float, not (value, tangent)"),
        ((1.0, None), "the tangent of the value is None"),
        ((1.0, 0), "the tangent of the value is 0"),
        ((1.0, (1.0,)), "the tangent of the value is a tuple"),
        ((np.ones(3), np.ones(2)), "a tangent of shape (2,)"),
    ],
)
def test_a_rule_that_breaks_the_contract_is_named(answer: Any, what: str) -> None:
    def f(x):
        return x

    @cr.frule(f)
    def broken_frule(tangents, x: float):
        return answer

    with pytest.raises(cr.RuleContractError) as broken:
        cr.apply_frule(f, (1.0,), (1.0,))
    assert f"broken_frule breaks the rule contract: {what}" in str(broken.value)
    assert "test_forward.py:" in str(broken.value)


def test_one_tangent_for_each_primal() -> None:
    with pytest.raises(cr.ShapeMismatch, match="2 primals and 1 tangents"):
        cr.apply_frule(np.multiply, (1.0, 2.0), (1.0,))


def test_a_tangent_of_metadata_is_refused() -> None:
    f, seen = product()
    with pytest.raises(cr.UnsupportedArgument, match=r"axis=0\.5: it is metadata"):
        cr.apply_frule(f, (2.0, 3.0, 0.5), (1.0, 1.0, 1.0))
    assert seen == []


@pytest.mark.parametrize("dtype", [np.float32, np.complex64])
def test_the_tangent_has_the_precision_of_the_value(dtype: Any) -> None:
    f, _ = product()
    x = np.ones(2, dtype)
    y, dy = pushed(f, (x, x), (np.ones(2), np.ones(2)))
    assert y.dtype == dy.dtype == dtype


def mutating(states: Any) -> Any:
    """A callable that overwrites its first argument, with a rule that answers these states."""

    def put(a, b):
        a[...] = b
        return 1.0

    @cr.frule(put, mutates=(0,))
    def put_frule(tangents, a: np.ndarray, b: np.ndarray):
        put(a, b)
        return (1.0, cr.Zero(), {0: tangents[1]}) if states is ... else states

    return put


def test_a_rule_that_mutates_returns_the_tangents_of_the_states_as_a_third_entry() -> None:
    a, b, db = np.zeros(2), np.ones(2), np.array([3.0, 4.0])
    y, dy, after = pushed(mutating(...), (a, b), (np.ones(2), db))
    assert (y, dy) == (1.0, cr.Zero())
    np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(after[0], db)
    assert pushed(mutating(...), (a, b), (np.ones(2), cr.Zero()))[2] == {0: cr.Zero()}
    assert pushed(mutating(...), (a, b), (MISSING, db))[1:] == (MISSING, {0: MISSING})


@pytest.mark.parametrize(
    "answer", [(1.0, 2.0), (1.0, 2.0, 3.0), (1.0, 2.0, {}), (1.0, 2.0, {1: 1.0}), (1.0, 2.0, {0: None})]
)
def test_a_rule_that_mutates_and_tells_no_states_is_named(answer: Any) -> None:
    with pytest.raises(cr.RuleContractError, match="put_frule breaks"):
        cr.apply_frule(mutating(answer), (np.zeros(2), np.ones(2)), (np.ones(2), np.ones(2)))


def test_the_caller_and_what_moves_are_told() -> None:
    seen: list[Any] = []

    def f(x, y):
        return x * y

    @cr.frule(f)
    def f_frule(tangents, x: float, y: float, *, needs, engine):
        seen.append((needs, engine))
        return x * y, y * tangents[0]

    caller: Any = object()
    cr.core.forward(f, (2.0, 3.0), (1.0, cr.Zero()), engine=caller)
    assert seen.pop() == ((True, False), caller)
    pushed(f, (2.0, 3.0), (1.0, cr.Zero()))
    assert seen.pop() == ((True, False), cr.core.default_engine())
