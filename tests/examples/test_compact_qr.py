"""The compact QR: fields and properties against differences through LAPACK, and against NumPy's QR."""

from typing import Any

import numpy as np
import pytest
from examples.compact_qr import CompactQR, compact_qr, properties_of_fields, volume_and_lean

import chainrules as cr

SHAPES = [(5, 3), (4, 4), (3, 5), (1, 1), (2, 1), (1, 3)]


def matrix(shape: tuple[int, int], seed: int = 0) -> Any:
    return np.random.default_rng([*shape, seed]).normal(size=shape)


def weights_of(A: Any) -> Any:
    qr = compact_qr(A)
    parts = {name: matrix(np.atleast_2d(getattr(qr, name)).shape, 3) for name in ("Q", "R", "factors", "tau")}
    return cr.Composite[CompactQR](**(parts | {"tau": parts["tau"][0]}))


def weighted(A: Any, t: Any, names: Any) -> float:
    qr = compact_qr(A)
    return sum(float(np.sum(getattr(t, name) * getattr(qr, name))) for name in names)


def slope(f: Any, A: Any, dA: Any, h: float = 1e-6) -> Any:
    return (f(A + h * dA) - f(A - h * dA)) / (2 * h)


NAMES = [("factors",), ("tau",), ("Q",), ("R",), ("Q", "R"), ("R", "factors"), ("Q", "R", "factors", "tau")]


@pytest.mark.parametrize("names", NAMES, ids="+".join)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_every_mixture_is_as_differences_through_lapack_say(shape: tuple[int, int], names: Any) -> None:
    A, dA = matrix(shape), matrix(shape, 1)
    weights = weights_of(A)
    answer = cr.apply_rrule(compact_qr, A)
    assert answer is not None
    qr, pullback = answer
    given: Any = cr.Zero()
    for name in names:  # added one by one, property-based to field-based
        given = given + cr.Composite[CompactQR](**{name: getattr(weights, name)})
    expected = slope(lambda A: weighted(A, weights, names), A, dA)
    assert cr.inner(pullback(given)[0], dA) == pytest.approx(expected, rel=1e-6, abs=1e-8)
    canonical = cr.canonicalize(given, like=qr)
    assert set(canonical) == {"factors", "tau"}
    assert cr.inner(pullback(canonical)[0], dA) == pytest.approx(expected, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_forward_is_as_differences_say(shape: tuple[int, int]) -> None:
    A, dA = matrix(shape), matrix(shape, 1)
    for read in (lambda qr: qr.factors, lambda qr: qr.tau, lambda qr: qr.Q, lambda qr: qr.R):
        dy = cr.jvp(lambda A, read=read: read(compact_qr(A)), (A,), (dA,))[1]
        np.testing.assert_allclose(
            dy, slope(lambda A, read=read: read(compact_qr(A)), A, dA), rtol=1e-6, atol=1e-8
        )


def test_the_fields_say_by_properties_what_they_say_themselves() -> None:
    A = matrix((5, 3))
    answer = cr.apply_rrule(compact_qr, A)
    assert answer is not None
    qr, pullback = answer
    t = weights_of(A)
    again = properties_of_fields(qr, t)
    assert set(again) == {"Q", "R"}
    np.testing.assert_allclose(pullback(again)[0], pullback(t)[0], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("shape", [(5, 3), (4, 4)], ids=str)
def test_q_and_r_agree_with_the_rule_of_numpy(shape: tuple[int, int]) -> None:
    A = matrix(shape)
    W = weights_of(A)

    def of_numpy(A: Any) -> Any:
        Q, R = np.linalg.qr(A)
        return np.sum(W.Q * Q) + np.sum(W.R * R)

    def of_lapack(A: Any) -> Any:
        qr = compact_qr(A)
        return np.sum(W.Q * qr.Q) + np.sum(W.R * qr.R)

    np.testing.assert_allclose(cr.grad(of_lapack)(A), cr.grad(of_numpy)(A), rtol=1e-9, atol=1e-11)


def test_a_program_that_uses_all_of_it() -> None:
    A = matrix((4, 3))
    gradient = cr.grad(volume_and_lean)(A)
    dA = matrix((4, 3), 1)
    assert cr.inner(gradient, dA) == pytest.approx(slope(volume_and_lean, A, dA), rel=1e-7)
    assert cr.jvp(volume_and_lean, (A,), (dA,))[1] == pytest.approx(cr.inner(gradient, dA))


def test_no_derivative_where_the_reflection_jumps() -> None:
    with pytest.raises(cr.ChainRulesError, match="column 0 is zero below"):
        cr.grad(volume_and_lean)(np.eye(3))
    with pytest.raises(cr.UnsupportedArgument, match="float64"):
        compact_qr(np.ones((2, 2), complex))
