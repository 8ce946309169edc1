"""Rotations: every representation, composition and fit, at the identity and where they jump."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp
from tests.rules.cases import case, held, normal, uniform

import chainrules as cr
from chainrules import NotDifferentiableError
from chainrules.rules import written
from chainrules.rules.scipy.spatial.alignment import principal
from chainrules.rules.scipy.spatial.fitted import fitted
from chainrules.rules.scipy.spatial.rotations import turned, turns
from chainrules.rules.scipy.spatial.slerp import through
from chainrules.testing import check_grads, check_rule, constrained, exempt

R, S, ONE = Rotation.random(3, rng=1), Rotation.random(3, rng=2), Rotation.random(rng=3)
NEAR = Rotation.from_rotvec(0.3 * normal(4, 3))
IDENTITY = Rotation.identity()
AXES = np.array([[0.0, 0.0, 2.0], [1.0, 1.0, 0.0], [1.0, -1.0, 1.0]])
M = normal(3, 3) + 2 * np.eye(3)
A, B, W = normal(4, 3), normal(4, 3, seed=1), uniform(4)
FAR = np.array([np.inf, 1.0, 2.0, 0.5])
PRINCIPAL = np.outer(np.arange(1.0, 5.0), np.arange(1.0, 5.0)) + np.diag([0.5, 0.0, 0.0, 1.0])
TIMES = np.array([0.0, 1.0, 1.5, 3.0])

CASES = [
    case(turns, R),
    case(Rotation, normal(2, 4)),
    case(Rotation, normal(4), scalar_first=True),
    case(Rotation.from_quat, normal(2, 4), scalar_first=True),
    case(Rotation.from_rotvec, normal(2, 3)),
    case(Rotation.from_rotvec, np.zeros(3)),
    case(Rotation.from_rotvec, 50 * normal(3), degrees=True),
    case(Rotation.from_mrp, normal(3)),
    case(Rotation.from_matrix, M),
    case(Rotation.from_matrix, np.stack((M, np.eye(3)))),
    case(Rotation.as_quat, R),
    case(Rotation.as_quat, R, canonical=True, scalar_first=True),
    *(
        case(getattr(Rotation, name), r)
        for name in ("as_rotvec", "as_mrp", "as_matrix")
        for r in (R, IDENTITY)
    ),
    case(Rotation.as_rotvec, ONE, degrees=True),
    case(Rotation.magnitude, R),
    *(case(Rotation.as_euler, R, seq=seq) for seq in ("xyz", "YXY")),
    case(Rotation.as_euler, ONE, seq="yxz", degrees=True),
    *(case(Rotation.from_euler, seq, normal(2, len(seq))) for seq in ("ZYX", "yz")),
    case(Rotation.from_euler, "x", 30.0, degrees=True),
    case(Rotation.as_davenport, ONE, axes=AXES, order="e"),
    case(Rotation.as_davenport, R, axes=AXES, order="intrinsic", degrees=True),
    case(Rotation.from_davenport, held(AXES), "e", normal(3)),
    case(Rotation.from_davenport, held(AXES[:2]), "i", 50 * normal(2, 2), degrees=True),
    case(Rotation.apply, R, normal(3, 3)),
    case(Rotation.apply, ONE, normal(2, 3), inverse=True),
    case(Rotation.apply, R, normal(3)),
    case(Rotation.apply, R, normal(3), inverse=True),
    case(Rotation.apply, ONE, normal(2, 3)),
    case(Rotation.__mul__, R, S),
    case(Rotation.__mul__, ONE, S),
    case(Rotation.__mul__, R, ONE),
    case(Rotation.inv, R),
    case(Rotation.__pow__, NEAR, 1.7),
    case(Rotation.__pow__, IDENTITY, 2.0),
    case(Rotation.__getitem__, R, 1),
    case(Rotation.__getitem__, R, slice(None, None, 2)),
    case(Rotation.concatenate, [R, ONE]),
    case(Rotation.concatenate, R),
    case(Rotation.reduce, R, S, NEAR),
    case(Rotation.mean, NEAR, W, axis=0),
    case(principal, constrained(PRINCIPAL, "symmetric")),
    case(Rotation.align_vectors, A, B),
    case(Rotation.align_vectors, A[:3], B[:3], W[:3], return_sensitivity=True),
    case(Rotation.align_vectors, A[0], B[0]),
    case(Rotation.align_vectors, A, B, held(FAR)),
    case(Slerp, TIMES, NEAR),
    case(Slerp.__call__, Slerp(TIMES, NEAR), np.array([0.3, 1.2, 2.9])),
    case(Slerp.__call__, Slerp(TIMES, NEAR), 1.1),
]
EXEMPT = [
    *(exempt(f, why="takes its value; what is made so is checked") for f in (turned, fitted, through)),
    exempt(Rotation.__setitem__, why="is refused by name"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_the_tangent_is_the_rotation_vector_by_which_it_is_turned_further() -> None:
    w, v = np.array([0.1, -0.2, 0.3]), normal(3)
    assert cr.move(ONE, w).approx_equal(Rotation.from_rotvec(w) * ONE)
    np.testing.assert_allclose(cr.difference(cr.move(ONE, w), ONE), w)
    gradient = cr.grad(lambda r: np.sum(v * r.apply(w)))(ONE)
    np.testing.assert_allclose(gradient, np.cross(ONE.apply(w), v))
    assert cr.zero_tangent(R).shape == (3, 3)


def test_second_derivatives() -> None:
    check_grads(lambda r: Rotation.from_rotvec(r).as_matrix(), np.zeros(3))
    check_grads(lambda r: Rotation.from_rotvec(r).as_rotvec(), np.array([0.0, 1e-9, 0.0]))
    check_grads(lambda m: Rotation.from_matrix(m).as_rotvec(), M)


def test_second_derivatives_of_turns() -> None:
    v, q = normal(2, 3), normal(3)

    def turned_twice(r, v):
        made = Rotation.from_rotvec(r)
        return made.inv().apply((made * ONE).apply(v) ** 2, inverse=True)

    check_grads(turned_twice, normal(3), v)
    check_grads(lambda r: turned_twice(r, v[0]), normal(2, 3))
    check_grads(lambda a: Rotation.from_euler("xYz"[::2], a).apply(q), normal(2))
    check_grads(lambda a: Rotation.from_euler("ZYX", a, degrees=True).as_matrix(), 40 * normal(2, 3))


def test_lists_of_angles_and_vectors() -> None:
    by_array = cr.grad(lambda r, v: np.sum(Rotation.from_rotvec(r).apply(v)), (0, 1))(A[0], B[0])
    by_list = cr.grad(lambda r, v: np.sum(Rotation.from_rotvec(r).apply(v)), (0, 1))(
        A[0].tolist(), B[0].tolist()
    )
    for got, want in zip(by_list, by_array, strict=True):
        np.testing.assert_allclose(list(got), want)


def test_a_pullback_of_a_rotation_runs_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rules are formulas: nothing in them is followed."""

    def f(r):
        return np.sum(Rotation.from_rotvec(r).apply(A) * Rotation.from_rotvec(r).as_matrix()[0])

    expected = cr.grad(f)(B[0])
    monkeypatch.setattr(written, "reverse_of", None)
    np.testing.assert_array_equal(cr.grad(f)(B[0]), expected)


@pytest.mark.parametrize(
    ("f", "x", "mode"),
    [
        (lambda a: (Rotation.from_euler("xyz", a) * ONE).as_euler("zyx"), normal(3), "fwd"),
        (lambda a: Rotation.align_vectors(a, B[:3], W[:3])[0].as_quat(), A[:3], "rev"),
        (lambda t: Slerp(TIMES[:2], NEAR[:2])(t).as_quat(), 0.3, "fwd"),
        (lambda w: NEAR.mean(w).as_quat(), W, "rev"),
    ],
)
def test_second_derivatives_of_angles_and_fits(f: Any, x: Any, mode: str) -> None:
    check_grads(f, x, modes=(mode,))


def test_a_rotation_vector_of_zero_is_no_singularity() -> None:
    v = np.array([1.0, 2.0, 3.0])
    jacobian = cr.jacobian(lambda r: Rotation.from_rotvec(r).apply(v))(np.zeros(3))
    np.testing.assert_array_equal(jacobian, np.cross(np.eye(3), v).T)


def test_the_residual_of_a_perfect_alignment_has_derivative_zero() -> None:
    assert (
        cr.grad(lambda a: Rotation.align_vectors(a, np.eye(3))[1])(np.eye(3)).tolist()
        == np.zeros((3, 3)).tolist()
    )


def test_the_magnitude_of_the_identity_has_derivative_zero() -> None:
    np.testing.assert_array_equal(cr.grad(Rotation.magnitude)(IDENTITY), 0)


@pytest.mark.parametrize("method", [Rotation.as_rotvec, Rotation.as_mrp, lambda r: r**0.5 * r])
def test_half_turns_are_refused(method: Any) -> None:
    half = Rotation.from_rotvec([np.pi, 0.0, 0.0])

    def total(r: Any) -> Any:
        y = method(r)
        return np.sum(y.as_quat() if isinstance(y, Rotation) else y)

    with pytest.raises(NotDifferentiableError, match="half turn"):
        cr.grad(total)(half)


def test_complex_numbers_are_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="complex"):
        cr.vjp(Rotation.from_quat, normal(4) + 1j)


def test_gimbal_lock_is_refused() -> None:
    locked = Rotation.from_euler("xyz", [0.3, np.pi / 2, 0.1])
    with pytest.raises(NotDifferentiableError, match="gimbal lock"):
        cr.grad(lambda r: r.as_euler("xyz", suppress_warnings=True)[0])(locked)


def test_what_is_not_unique_is_refused() -> None:
    line = np.array([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]])
    with pytest.raises(NotDifferentiableError, match="not unique"), pytest.warns(UserWarning, match="poorly"):
        cr.grad(lambda a: Rotation.align_vectors(a, line)[0].as_quat()[0])(line)
    with pytest.raises(NotDifferentiableError, match="opposite"):
        cr.grad(lambda a: Rotation.align_vectors(a, -line[0])[0].as_quat()[0])(line[0])
    opposite = Rotation.from_rotvec([[0.0, 0.0, 0.0], [0.0, 0.0, np.pi]])
    with pytest.raises(NotDifferentiableError, match="mean"):
        cr.grad(lambda r: r.mean().as_quat()[0])(opposite)


def test_stores_are_refused() -> None:
    def stored(x: Any) -> Any:
        turns = Rotation.from_rotvec(np.zeros((2, 3)))
        turns[0] = Rotation.from_rotvec(x)
        return turns.apply(x)[0, 1]

    with pytest.raises(NotDifferentiableError, match="in place"):
        cr.grad(stored)(normal(3))
    with pytest.raises(NotDifferentiableError, match="in place"):
        cr.jvp(stored, (normal(3),), (normal(3),))
