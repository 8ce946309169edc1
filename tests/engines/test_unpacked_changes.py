"""Calls that change what stands in their `*` and `**` operands."""

import numpy as np
import pytest
from tests.engines.table import Table, check

from chainrules.testing import check_grads

table = Table()


def scaled(a, k, log=None):
    a *= k
    if log is not None:
        log.append(np.sum(a))


@table(np.array([1.2, 0.7]))
def in_a_tuple_a_list_and_a_dict(x):
    a: np.ndarray = x * 1.0
    log: list[float] = []
    scaled(*(a, 2.0))
    args = [a, 3.0, log]
    scaled(*args)
    scaled(a, **{"k": x[0], "log": log})
    rows = [(x * 1.0, 2.0), (x * x, 3.0)]
    for row in rows:
        scaled(*row)
    return np.sum(a**2) * sum(log) + np.sum(rows[0][0] * rows[1][0])


class Walk:
    def __init__(self):
        self.at = np.zeros(2)

    def step(self, v, log, k=1.0):
        self.at = self.at + v * k
        log.append(np.sum(self.at))
        v[0] = v[0] * 2


@table(np.array([1.2, 0.7]))
def of_a_method(x):
    walk, v = Walk(), x * 1.0
    log: list[float] = []
    for _ in range(2):
        walk.step(*(v, log), **{"k": x[0]})
    return np.sum(walk.at) * sum(log) * v[0]


def filled(**named):
    named["a"][0] = named["b"] * 2


@table(np.array([1.2, 0.7]))
def held_by_keywords(x):
    a = np.zeros(2)
    filled(a=a, b=x[0])
    return np.sum(a * x)


@table(np.array([1.2, 0.7]))
def a_view_with_entries_several_times(x):
    a = x * 1.0
    rows = np.broadcast_to(a, (3, 2))
    windows = np.lib.stride_tricks.sliding_window_view(a, 1)
    a[0] = x[1] ** 2
    return np.sum(rows * np.arange(6).reshape(3, 2)) * np.sum(windows**2)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_what_they_change_agrees_with_differences(f, x):
    check(f, x)


def test_a_second_derivative_agrees_with_differences():
    check_grads(of_a_method, np.array([1.2, 0.7]), order=2)
