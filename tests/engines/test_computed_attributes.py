"""Properties that keep what they computed for the next time, read also where nothing is differentiated."""

from typing import Any

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.table import Table, check

import chainrules as cr
from chainrules.testing import check_grads

table = Table()
POINT = np.array([0.5, -1.2, 0.8])


class Grid:
    def __init__(self, a):
        self.a, self.reads = a, 0
        self._norm: Any = None
        self._rows: Any = None

    @property
    def norm(self):
        self.reads += 1
        if self._norm is None:
            self._norm = np.sum(self.a**2)
        return self._norm

    @property
    def rows(self):
        if self._rows is None:
            self._rows = [self.norm * v for v in self.a]
        return self._rows

    def scaled(self):
        return self.rows[0] * self.norm

    def reset(self, a):
        self.a, self._norm = a, None


class Holder:
    def __init__(self, grid):
        self.grid = grid


@table(POINT)
def read_in_tests_and_texts(x):
    grid, other = Grid(x), Grid(x * 2)
    report = f"{other.norm}"
    if grid.norm > 1 and len(str(other.norm)) < 100:
        return grid.norm**2 + other._norm * len(report[:2])
    return grid.norm


@table(POINT)
def read_by_one_another(x):
    holder = Holder(Grid(x))
    total = holder.grid.scaled() * holder.grid.norm + holder.grid.norm
    while holder.grid.norm < 20:
        holder.grid.reset(holder.grid.a * 2)
        total = total + holder.grid.rows[1] * holder.grid.norm
    for grid in (holder.grid, Grid(x)):
        total = total + grid.norm
    return total * holder.grid.reads


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_what_they_keep_agrees_with_differences(f, x):
    check(f, x)


def test_second_derivatives_of_what_tests_and_texts_read():
    rightly.hessian(read_in_tests_and_texts)(POINT)


class Lazy:
    def __init__(self, a):
        self.a, self.total, self.asked = a, 0.0, 0

    def __len__(self):
        self.total = self.total + self.a[0]
        return 3


def test_methods_that_python_runs_by_itself_may_change_their_object():
    def f(x):
        lazy = Lazy(x)
        return len(lazy) * lazy.total + (1.0 if lazy else 0.0) * lazy.total

    rightly.grad(f)(POINT)


def test_methods_that_only_count_are_not():
    def f(x):
        counting = Counting(x)
        return counting.norm * counting.reads if 2 in counting else counting.norm

    np.testing.assert_allclose(cr.grad(f)(POINT), 4 * POINT)


class Counting(Grid):
    def __contains__(self, x):
        self.reads += 1
        return True


class Counted:
    def __init__(self) -> None:
        self.total = 0.0

    def area(self, x: Any) -> Any:
        self.total = self.total + x[0]
        return x


class Measured:
    def __init__(self, x: Any) -> None:
        self.x, self.asked = x, 0.0

    @property
    def area(self) -> Any:
        self.asked = self.asked + self.x[1]
        return self.asked * self.x[0]


def test_what_is_a_property_of_one_class_may_be_a_method_of_another() -> None:
    def f(x: Any) -> Any:
        a, b = Measured(x), Counted()
        return a.area + a.area * b.area(x)[1] * b.total + a.asked

    check_grads(f, np.array([0.7, 1.3]), order=1)
