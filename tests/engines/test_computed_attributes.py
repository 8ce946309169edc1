"""Properties that keep what they computed for the next time, read also where nothing is differentiated."""

from typing import Any

import numpy as np
import pytest
from tests.engines.table import Table, check

import chainrules as cr

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


def test_second_derivatives_are_refused():
    with pytest.raises(cr.ChainRulesError):
        cr.hessian(read_in_tests_and_texts)(POINT)
