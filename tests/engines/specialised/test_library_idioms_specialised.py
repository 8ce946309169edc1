"""Idioms of itertools, functools, dataclasses, and named results: specialised, and right by differences."""

import cmath
import dataclasses
import functools
import itertools
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats
from tests.engines.specialised.test_idioms_specialised import VECTOR, differences, hold_specialised

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after


def power(y, k=2, c=1.0):
    return c * np.sin(y) ** k


cubed = functools.partial(power, k=3)


def step_of(f, y, h):
    return y + h * f(y + 0.5 * h * f(y))


def partials(x):
    def weighted(w, y):
        return w * y * x[0]

    by_weight = functools.partial(weighted, x[1])
    over = functools.partial(np.sum, axis=0)
    f, y = functools.partial(power, c=x[2]), x
    for _ in range(3):
        y = step_of(f, y, 0.1)
    return np.sum(cubed(y, c=x[3]) + by_weight(y)) + np.sum(over(np.outer(y, y))) + sum(map(cubed, x))


def products(x):
    total = 0.0
    for a, b in itertools.product(x, x):
        total += np.sin(a * b)
    for pair in itertools.product(x, (1.0, 2.0), range(2)):
        total += pair[0] ** pair[1] * pair[2]
    return total


def count_that_changes(x):
    n, total = 3, 0.0
    for i, j in itertools.product(range(n), range(n)):
        n = 2
        total = total + x[i] * x[j]
    return total * n


def combinations(x):
    total = sum(abs(b - a) for a, b in itertools.pairwise(x))
    for a, b in itertools.combinations(x, 2):
        total += np.exp(-((a - b) ** 2))
    for i, j in itertools.combinations(range(len(x)), 2):
        total = total + x[i] * i / x[j]
    return total


class Body:
    def __init__(self, place, mass):
        self.place, self.mass = place, mass


def combinations_of_objects(x):
    bodies = [Body(x[0], 1.0), Body(x[1], 2.0), Body(x[2], x[3])]
    return sum(a.mass * b.mass / abs(a.place - b.place) for a, b in itertools.combinations(bodies, 2))


class State(NamedTuple):
    q: Any
    p: Any
    m: float = 1.0

    def kicked(self, dt):
        return self._replace(p=self.p - dt * np.sin(self.q) / self.m)


@dataclasses.dataclass(frozen=True)
class Frozen:
    q: Any
    p: Any
    n: int = 0

    def kicked(self, dt):
        return dataclasses.replace(self, p=self.p - dt * np.sin(self.q), n=self.n + 1)


def named_tuples_copied(x):
    s = State(x, x * 2.0)
    for _ in range(4):
        s = s.kicked(0.1)._replace(q=s.q + 0.1 * s.p)
    return np.sum(s.q * s.p)


def dataclasses_copied(x):
    s = Frozen(x, x * 2.0)
    for _ in range(4):
        s = s.kicked(0.1)
        s = dataclasses.replace(s, q=s.q + 0.1 * s.p)
    return np.sum(s.q * s.p) * s.n


IDIOMS = [
    partials,
    products,
    count_that_changes,
    combinations,
    combinations_of_objects,
    named_tuples_copied,
    dataclasses_copied,
]


def named_results(x):
    line = stats.linregress(x, x**2 + x[0])
    r, p = stats.pearsonr(x, np.sin(x) + x[1])
    q = np.linalg.qr(np.outer(x, x) + np.eye(4))
    return line.slope * r + p + stats.ttest_1samp(x, 0.1).pvalue + q.R[0, 1] + line[1]


PLACES = np.array([0, 2, 0, 1])


def sums_by_places(x):
    counts = np.bincount(PLACES, weights=x) * np.bincount(PLACES, x**2, minlength=3)
    return np.sum(counts**2) + np.sum(np.add.reduceat(np.sin(x), [0, 2, 1]) ** 2) + np.logaddexp.reduce(x)


def slopes_of_a_surface(x):
    surface = np.outer(x, np.sin(x))
    rows, columns = np.gradient(surface)
    return np.sum(rows * columns) + sum(np.sum(g**2) for g in np.gradient(surface, 0.5, edge_order=2))


def blocks(x):
    square, row = np.outer(x, x), np.block([x, 2.0, x[:2]])
    table = np.block([[square, x[:, None]], [x, 3.0]])
    return np.sum(row**2) + np.sum(table @ table)


def several_quantiles(x):
    low, high = np.percentile(x, [10, 65])
    return low * high + np.sum(np.quantile(x, np.array([0.0, 0.4, 1.0])) ** 2)


def means_of_numbers(x):
    y = np.where(x > 2.05, np.nan, x**2)
    return np.nanmean(y) + np.nanvar(y) * np.sum(np.nanmean(np.outer(x, x), axis=0))


def in_pieces(x):
    return np.sum(np.piecewise(x, [x < 1.15, x > 2.05], [lambda v: v**2, 3.0, lambda v: v * 0.5]) * x)


def numbers_with_two_parts(x):
    z, total = 0j, 0.0
    for v in x:
        z = z * z * 0.1 + complex(v, 0.5) * cmath.exp(complex(0, v))
        total += z.real - z.imag
    return total + abs(z * complex(x[0], x[1]))


def looked_up(x):
    grid, table = np.linspace(-1.03, 3.0, 9), np.sin(np.arange(9.0))
    inside = sum(np.interp(v, grid, table) for v in x) + np.interp(x[0], [0.0, 1.0, 4.0], x[1:])
    outside = np.interp(-2.0, grid, table * x[0]) + np.interp(9.0, grid, table, right=2) * x[1]
    return inside + outside + np.interp(grid[4], grid, table * x[2]) * np.interp(3.0, grid, table * x[3])


LIBRARY = [
    looked_up,
    sums_by_places,
    slopes_of_a_surface,
    blocks,
    several_quantiles,
    means_of_numbers,
    in_pieces,
    numbers_with_two_parts,
]


@pytest.mark.parametrize("f", [*IDIOMS, *LIBRARY, named_results])
def test_idioms(f: Any) -> None:
    hold_specialised(f)


def left_early(x):
    total = 0.0
    for a, b in itertools.product(x, x):
        if a * b > 2.0:
            break
        total += a * b
    return total


def written_into_meanwhile(x):
    y, total = x.copy(), 0.0
    for a, b in itertools.product(y, y):
        total += a * b
        y[0] = total
    return total


@pytest.mark.parametrize("f", [left_early, written_into_meanwhile])
def test_pairs_left_to_the_ordinary_program(f: Any) -> None:
    with specialised_after(1):
        for _ in range(3):
            np.testing.assert_allclose(cr.grad(f)(VECTOR), differences(f, VECTOR), rtol=1e-6)
