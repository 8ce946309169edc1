"""What every ufunc takes by name: each elementwise rule with `out=`, some with `where=` and `dtype=`."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, constant, frule_of, normal, rrule_of, uniform

import chainrules as cr
from chainrules.core import UnsupportedArgument, loading
from chainrules.core.registry import registered
from chainrules.tangents import NoTangent
from chainrules.testing import check_rule

loading.load_all()
NUMPYS = [
    r.f
    for r in registered()
    if getattr(np, getattr(r.f, "__name__", ""), None) is r.f and any(m.mutates for m in r.methods["reverse"])
    if isinstance(r.f, np.ufunc) and r.f not in (np.maximum, np.minimum)  # which take out by name alone
    if r.f.signature is None or r.f is np.matmul  # the others: test_outputs
]


def points(f: Any) -> tuple[Any, ...]:
    """Arguments in the domain of every function, off the corners of all."""
    return tuple(uniform(2, seed=i) + (1.0 if f is np.arccosh else 0.0) for i in range(f.nin))


MASK = np.array([[True, False, True], [False, True, True]])
CASES = [
    *(case(f, *points(f), normal(2) if f is not np.matmul else np.array(0.5)) for f in NUMPYS),
    case(np.exp, normal(2), constant(None), why="none to write into"),
    case(np.multiply, normal(3), 2.0, normal(2, 3), why="stretched to out"),
    case(np.multiply, normal(3), normal(2, 1), normal(2, 3), where=MASK),
    case(np.multiply, complex_normal(3), normal(2, 1), complex_normal(2, 3), where=MASK[0]),
    case(np.exp, normal(2, 3).astype(np.float32), normal(2, 3).astype(np.float32), where=MASK),
    case(np.exp, normal(2, 3), normal(2, 3), where=False),
    case(np.log, np.array([-1.0, 2.0]), normal(2), where=np.array([False, True]), why="not looked at"),
    case(np.sin, normal(3), dtype=np.float64, order="F", subok=False),
    case(np.sin, normal(3).astype(np.float32), dtype=np.float64),
    case(np.sqrt, np.array([-1.0, 2.0]), dtype=complex, why="complex because it is asked for"),
    case(np.absolute, complex_normal(3), dtype=np.float64),
    case(np.add, normal(3), 2.0, signature="dd->d"),
    case(np.floor, normal(3), dtype=np.float64),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_out_may_be_an_argument() -> None:
    x = np.array([1.0, 2.0])
    y, pullback = rrule_of(np.multiply, x, x, x)
    assert y is x
    np.testing.assert_array_equal(x, [1.0, 4.0])
    parts = pullback(np.ones(2), {2: np.zeros(2)})
    np.testing.assert_array_equal(parts[0] + parts[1], [2.0, 4.0])


@pytest.mark.parametrize(
    ("name", "kwargs"),
    [
        ("where", {"where": MASK}),
        ("casting", {"casting": "unsafe", "dtype": int}),
    ],
)
def test_what_leaves_numbers_unknown_is_refused(name: str, kwargs: Any) -> None:
    with pytest.raises(UnsupportedArgument, match=name):
        rrule_of(np.exp, normal(2, 3), **kwargs)
    with pytest.raises(UnsupportedArgument, match=name):
        frule_of(np.exp, (normal(2, 3),), (normal(2, 3),), **kwargs)


def test_a_program_that_writes_by_out() -> None:
    def f(x: Any) -> Any:
        a = np.zeros(3)
        b = np.exp(x, out=a)
        np.multiply(a, x, out=a)
        np.log(x, out=a, where=x > 0)
        return np.sum(a * b)

    x = np.array([-0.5, 1.5, 2.0])
    step = 1e-6 * np.eye(3)
    expected = [(f(x + d) - f(x - d)) / 2e-6 for d in step]
    np.testing.assert_allclose(cr.grad(f)(x), expected, rtol=1e-6)


def test_a_tuple_for_out_has_no_rule() -> None:
    assert cr.apply_rrule(np.exp, normal(2), out=(np.ones(2),)) is None
    assert cr.apply_rrule(np.exp, normal(2), [1.0, 2.0]) is None


def test_second_order() -> None:
    g = cr.grad(lambda x: np.sum(np.sin(x, dtype=float) * np.cumsum(x)))
    x, v = normal(3), normal(3, seed=1)
    found = cr.grad(lambda x: np.sum(g(x) * v))(x)
    np.testing.assert_allclose(found, (g(x + 1e-6 * v) - g(x - 1e-6 * v)) / 2e-6, rtol=1e-6)


def test_what_was_not_written_keeps_its_derivative() -> None:
    _, pullback = rrule_of(np.exp, np.zeros(2), np.ones(2), where=np.array([True, False]))
    x_bar, out_bar = pullback(NoTangent(), {1: np.array([5.0, 7.0])})
    np.testing.assert_array_equal(x_bar, [5.0, 0.0])
    np.testing.assert_array_equal(out_bar, [0.0, 7.0])
