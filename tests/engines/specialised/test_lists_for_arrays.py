"""Lists that become arrays, as rows that are stored and tables written out: specialised, and right."""

import numpy as np
import pytest

from .compared import hold_directions, is_right

X = np.array([0.5, 1.2, -0.3, 0.8])


def block(x):
    made = np.eye(3)
    rows = [[x[0], -x[1]], [x[1], x[0]]]
    made[:2, :2] = rows
    return (made @ made).sum() * x[2]


def row_by_row(x):
    made = np.zeros((3, 3))
    for k in range(3):
        made[k] = [x[0] * k, x[1], 1.0]
    made[:, 2] = (1, 2, 3)
    made[0] = [v * 2.0 for v in x[:3]]
    return (made @ made).sum()


def beside_arrays(x):
    grid, offset, rest = np.outer(x, x), [0.5, x[0], -1.0, x[1]], (0.5, 1.0, x[2], x[3])
    far = np.hypot(*(x[:2] - [1.0, 2.0]))
    moved = grid - offset
    moved *= [1, 2, 3, 4]
    moved = (moved + rest) @ [x[3], 1.0, 2.0, 3.0]
    near = ([1.0, 2.0] - x[:2]).sum() * x[3]
    return far + (moved**2).sum() + near + (grid / [[2.0], [x[1]], [1.0], [3.0]]).sum()


def turned(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    if axis == "z":
        rows = [[c, -s, 0], [s, c, 0], [0, 0, 1]]
    elif axis == "y":
        rows = [[c, 0, s], [0, 1, 0], [-s, 0, c]]
    else:
        rows = [[1, 0, 0], [0, c, -s], [0, s, c]]
    return np.array(rows)


def one_table_or_another(x):
    made = np.eye(3)
    for angle, axis in zip(x, "zyxz", strict=True):
        made = made @ turned(axis, angle)
    return made[0] @ np.arange(3.0)


def in_a_loop(x):
    made = np.eye(3)
    for k in range(4):
        c = x[0] * k
        rows = [[c, -x[1]], [x[1], c]] if k % 2 else [[c, x[1]], [x[1], -c]]
        made[:2, :2] = rows
        made = made @ made.T * 0.3
    return made.sum()


def of_whole_numbers(x):
    table = [[1, 2], [3, 4]]
    return (np.array(table) * x[0]).sum() * np.array([1, 2])[1] * x[1]


def read_as_a_list_too(x):
    rows = [[x[0], x[1]], [x[2], x[3]]]
    rows[0][1] = rows[1][0] * x[0]
    return np.array(rows).prod() + rows[0][1]


ALL = [beside_arrays, block, row_by_row, one_table_or_another, in_a_loop, of_whole_numbers]


@pytest.mark.parametrize("f", ALL)
def test_gradients(f):
    assert is_right(f, X)


@pytest.mark.parametrize("f", ALL)
def test_directions(f):
    hold_directions(f, X)


def test_a_list_that_is_changed_before():
    is_right(read_as_a_list_too, X)
