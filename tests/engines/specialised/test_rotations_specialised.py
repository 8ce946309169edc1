"""Rotations in a text: objects whose cotangents are arrays, and whose operators are their methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

from .test_idioms_specialised import differences, hold_specialised

X, W = np.array([0.3, -0.2, 0.4]), np.array([0.1, 0.2, 0.3])
POINTS = np.arange(12.0).reshape(4, 3) / 5.0
OUTSIDE = Rotation.from_rotvec([0.3, 0.1, -0.2])


def applied(x: Any) -> Any:
    return np.sum(Rotation.from_rotvec(x).apply(POINTS) ** 3)


def composed(x: Any) -> Any:
    turn = Rotation.from_rotvec(x) * Rotation.from_euler("zyx", 2.0 * x)
    return np.sum((OUTSIDE * turn.inv()).as_matrix()[0] ** 3) * np.cos(turn.magnitude())


def of_quaternions(x: Any) -> Any:
    turn = Rotation.from_quat(np.concatenate((x, np.ones(1))))
    return np.sum(turn.as_quat() ** 3) + np.sum((turn**0.5).as_rotvec() ** 2)


def one_by_one(x: Any) -> Any:
    turns = Rotation.from_rotvec(np.stack((x, 2.0 * x, x**2)))
    total = np.sum(turns.apply(POINTS[:3]) ** 2)
    for i in range(3):
        total = total + np.sum(turns[i].apply(W) ** 3) * (i + 1)
    return total


def accumulated(x: Any) -> Any:
    turn = Rotation.identity()
    for k in range(1, 4):
        turn = turn * Rotation.from_rotvec(x * k)
    return np.sum(turn.apply(W) ** 3)


def on_one_side(x: Any) -> Any:
    turn = Rotation.from_rotvec(x) if x[0] > 0.0 else Rotation.from_euler("x", x[1])
    return np.sum(turn.apply(x) * W)


class Pose:
    def __init__(self, turn: Any, shift: Any) -> None:
        self.turn, self.shift = turn, shift

    def __mul__(self, other: Pose) -> Pose:
        return Pose(self.turn * other.turn, self.turn.apply(other.shift) + self.shift)

    def __call__(self, points: Any) -> Any:
        return self.turn.apply(points) + self.shift


def of_poses(x: Any) -> Any:
    pose = Pose(Rotation.from_rotvec(x), x) * Pose(Rotation.from_euler("x", x[0]), 2.0 * x)
    return np.sum(pose(POINTS) ** 3)


def moved(turn: Any, points: Any) -> Any:
    return turn.apply(points, inverse=True)


def by_a_helper(x: Any) -> Any:
    return np.sum(moved(Rotation.from_rotvec(x), POINTS) ** 3) + np.sum(moved(OUTSIDE, x) ** 3)


PROGRAMS: list[Callable[[Any], Any]] = [
    *(applied, composed, of_quaternions, one_by_one, accumulated, on_one_side, of_poses, by_a_helper),
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_rotations_are_values_of_a_text(f: Any) -> None:
    hold_specialised(f, X)


@pytest.mark.parametrize("f", PROGRAMS)
def test_other_branches_zeros_and_directions(f: Any) -> None:
    v = np.array([0.2, -1.0, 0.4])
    with specialised_after(1):
        for x in (X, X, -X, np.array([1e-9, 0.0, 0.0]), 1.5 * X):
            expected = differences(f, x)
            np.testing.assert_allclose(cr.grad(f)(x), expected, rtol=1e-5, atol=1e-7)
            np.testing.assert_allclose(cr.jvp(f, (x,), (v,))[1], expected @ v, rtol=1e-5, atol=1e-7)


def test_second_derivatives() -> None:
    v = np.array([0.2, -1.0, 0.4])
    with specialised_after(1):
        for x in (X, -X):
            expected = (cr.grad(applied)(x + 1e-5 * v) - cr.grad(applied)(x - 1e-5 * v)) / 2e-5
            np.testing.assert_allclose(cr.hvp(applied, x, v), expected, rtol=1e-5, atol=1e-5)


def test_numbers_of_rotations_may_change() -> None:
    def stacked(x: Any) -> Any:
        return np.sum(Rotation.from_rotvec(x.reshape(-1, 3)).apply(W) ** 3)

    with specialised_after(1):
        for n in (2, 2, 1, 5):
            x = np.linspace(-0.4, 0.7, 3 * n)
            found = cr.grad(lambda y, n=n: stacked(y.reshape(n, 3)))(x)
            np.testing.assert_allclose(
                found, differences(lambda y, n=n: stacked(y.reshape(n, 3)), x), rtol=1e-6
            )


def test_a_rotation_that_is_changed_in_place_is_refused() -> None:
    def changed(x: Any) -> Any:
        turns = Rotation.from_rotvec(np.stack((x, 2.0 * x)))
        turns[0] = Rotation.from_rotvec(x * x)
        return np.sum(turns.apply(W))

    with specialised_after(1):
        for _ in range(3):
            with pytest.raises(cr.NotDifferentiableError, match="in place"):
                cr.grad(changed)(X)
