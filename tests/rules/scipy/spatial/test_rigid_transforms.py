"""Rigid transforms: every representation and method, exact at the identity, refused at half turns."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import RigidTransform, Rotation
from tests.rules.cases import case, held, normal, uniform

import chainrules as cr
from chainrules.core.callables import attribute
from chainrules.rules.scipy.spatial.rigid_transforms import made_of
from chainrules.testing import check_grads, check_rule, exempt, with_tangent

TWISTS = 0.5 * normal(2, 6)
T, S = RigidTransform.from_exp_coords(TWISTS), RigidTransform.from_exp_coords(0.5 * normal(2, 6, seed=1))
ONE, IDENTITY = T[0], RigidTransform.identity()
MATRIX = T[1].as_matrix()
ROWS = np.concatenate((normal(3, 4), np.zeros((1, 4))))
CASES = [
    case(RigidTransform, with_tangent(MATRIX, ROWS)),
    case(RigidTransform.from_matrix, with_tangent(MATRIX + 0.1 * ROWS, ROWS)),
    case(RigidTransform.from_rotation, T.rotation),
    case(RigidTransform.from_translation, normal(3)),
    case(RigidTransform.from_components, normal(2, 3), T.rotation),
    case(RigidTransform.from_components, normal(3), ONE.rotation),
    case(RigidTransform.from_exp_coords, TWISTS),
    case(RigidTransform.from_exp_coords, np.zeros(6)),
    case(RigidTransform.from_dual_quat, normal(2, 8)),
    case(RigidTransform.from_dual_quat, normal(8), scalar_first=True),
    *(case(RigidTransform.as_exp_coords, t) for t in (T, ONE, IDENTITY)),
    case(RigidTransform.as_dual_quat, T, scalar_first=True),
    case(RigidTransform.as_dual_quat, ONE),
    case(RigidTransform.as_matrix, T),
    case(RigidTransform.as_components, ONE),
    case(RigidTransform.__mul__, T, S),
    case(RigidTransform.__mul__, ONE, S),
    case(RigidTransform.inv, T),
    case(RigidTransform.__pow__, ONE, held(1.5)),
    case(RigidTransform.apply, T, normal(2, 3)),
    case(RigidTransform.apply, ONE, normal(3), inverse=True),
    case(RigidTransform.__getitem__, T, 1),
    case(RigidTransform.concatenate, [T, ONE]),
    case(RigidTransform.concatenate, T),
    case(RigidTransform.mean, T),
    case(RigidTransform.mean, T, uniform(2), axis=0),
    case(getattr, T, "rotation"),
    case(getattr, T, "translation"),
]
EXEMPT = [
    exempt(RigidTransform.__setitem__, why="is refused by name"),
    exempt(made_of, why="takes its value from SciPy; what is made so is checked"),
    exempt(attribute("shape"), why="tells of the shape, which does not move"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


def test_the_tangent_is_the_twist_by_which_it_is_moved_further() -> None:
    twist, v = np.array([0.1, -0.2, 0.3, 1.0, 0.5, -0.4]), normal(3)
    moved = cr.move(ONE, twist)
    np.testing.assert_allclose(
        moved.as_matrix(), (RigidTransform.from_exp_coords(twist) * ONE).as_matrix(), atol=1e-15
    )
    np.testing.assert_allclose(cr.difference(moved, ONE), twist)
    gradient = cr.grad(lambda t: np.sum(v * t.apply([1.0, 2.0, 3.0])))(ONE)
    np.testing.assert_allclose(gradient, np.concatenate((np.cross(ONE.apply([1.0, 2.0, 3.0]), v), v)))
    assert cr.zero_tangent(T).shape == (2, 6)


def test_second_derivatives() -> None:
    check_grads(
        lambda x: RigidTransform.from_exp_coords(x).apply([1.0, 2.0, 3.0]), np.zeros(6), modes=("rev",)
    )
    check_grads(lambda x: RigidTransform.from_exp_coords(x).as_exp_coords(), TWISTS[0], modes=("fwd",))


def test_a_power_moves_along_its_twist_with_the_exponent() -> None:
    moved = cr.jvp(lambda n: ONE**n, (0.5,), (1.0,))[1]
    np.testing.assert_allclose(moved, ONE.as_exp_coords())  # exp(n ξ) commutes with ξ


def test_half_turns_are_refused() -> None:
    half = RigidTransform.from_rotation(Rotation.from_rotvec([np.pi, 0.0, 0.0]))
    with pytest.raises(cr.NotDifferentiableError, match="half turn"):
        cr.grad(lambda t: np.sum(t.as_exp_coords()))(half)


def test_matrices_that_are_taken_as_they_are_are_refused() -> None:
    with pytest.raises(cr.UnsupportedArgument, match="normalize"):
        cr.grad(lambda m: np.sum(RigidTransform(m, normalize=False).translation))(MATRIX)
