"""What counts as a solution: roots, near roots, double roots, singular Jacobians."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from chainrules.core.solutions import fault_of


@pytest.mark.parametrize(
    ("f", "slope", "v", "fault"),
    [
        (lambda v: v**2 - 2.0, 2 * math.sqrt(2.0), math.sqrt(2.0), None),
        (lambda v: v**2 - 2.0, 2.83, 1.5, "far"),
        (lambda v: v**2, 2e-9, 1e-9, "doubtful"),
        (lambda v: (v - 1.0) ** 2, 2e-9, 1.0 + 1e-9, "doubtful"),
        (lambda v: v - 1.0, 0.0, 1.0, "singular"),
        (lambda v: v - 1.0, math.inf, 1.0, "infinite"),
        (lambda v: v, 1.0, 0.0, None),
    ],
)
def test_one_number(f: Callable[[float], float], slope: float, v: float, fault: str | None) -> None:
    assert fault_of(f, slope, f(v), v)[0] == fault


def test_a_function_of_one_number_is_given_its_kind() -> None:
    given: list[type] = []

    def f(x: float) -> float:
        given.append(type(x))
        return x**2 - 2.0

    for v in (1.414213562, np.float64(1.414213562)):
        del given[:]
        assert fault_of(f, 2.0 * v, f(v), v)[0] is None
        assert set(given) == {type(v)}


def circle(v: np.ndarray) -> np.ndarray:
    """A circle and a line, which meet at (1, 0) and (0, 1)."""
    return np.array([v[0] ** 2 + v[1] ** 2 - 1.0, v[0] + v[1] - 1.0])


def slopes(v: np.ndarray) -> np.ndarray:
    return np.array([[2 * v[0], 2 * v[1]], [1.0, 1.0]])


def test_a_system() -> None:
    root, near = np.array([1.0, 0.0]), np.array([1.0 + 3e-6, 1e-6])
    assert fault_of(circle, slopes(root), circle(root), root) == (None, 0.0)
    fault, step = fault_of(circle, slopes(near), circle(near), near)
    assert fault is None
    assert step == pytest.approx(np.linalg.norm(near - root), rel=0.5)
    far = np.array([1.2, -0.1])
    assert fault_of(circle, slopes(far), circle(far), far)[0] == "far"


@pytest.mark.parametrize("scale", [1e-200, 1e-100, 1.0, 1e160, 1e250])
def test_the_scale_of_a_system_does_not_matter(scale: float) -> None:
    near = np.array([1.0 + 3e-6, 1e-6])
    fault, step = fault_of(lambda v: scale * circle(v), scale * slopes(near), scale * circle(near), near)
    assert fault is None
    assert step == pytest.approx(3e-6, rel=0.5)
    one, slope = np.array([1.0 + 1e-7]), np.full((1, 1), scale * 2)
    fault, step = fault_of(lambda v: scale * (v**2 - 1), slope, scale * (one**2 - 1), one)
    assert fault is None
    assert step == pytest.approx(1e-7, rel=1e-3)


def test_a_vector_of_one_number() -> None:
    given: list[tuple[int, ...]] = []

    def double(v: np.ndarray) -> np.ndarray:
        given.append(np.shape(v))
        return (v - 1.0) ** 2

    v = np.array([1.0 + 1e-9])
    assert fault_of(double, 2 * (v - 1.0)[None], double(v), v)[0] == "doubtful"
    assert set(given) == {(1,)}
    assert fault_of(double, np.zeros((1, 1)), np.zeros(1), np.ones(1))[0] == "singular"
    assert fault_of(double, np.full((1, 1), 1e-310), np.zeros(1), np.ones(1))[0] == "singular"
    assert fault_of(double, np.full((1, 1), np.inf), np.zeros(1), np.ones(1))[0] == "infinite"
    assert fault_of(double, np.ones((1, 1)), np.ones(1), np.ones(1))[0] == "far"


def test_a_system_that_cannot_be_solved() -> None:
    v = np.array([0.5, 0.5])  # where the Jacobian's rows are the same
    assert fault_of(circle, slopes(v), circle(v), v)[0] == "singular"
    assert fault_of(circle, np.full((2, 2), np.nan), circle(v), v)[0] == "infinite"
    assert fault_of(circle, np.zeros((0, 0)), np.zeros(0), np.zeros(0)) == (None, 0.0)
