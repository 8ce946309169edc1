"""DOK arrays, which are dictionaries to Python: filled, changed, shared, converted and read."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.linalg import spsolve
from tests.rules.cases import case

import chainrules as cr
from chainrules.testing import check_grads, check_rule

D = np.diag([1.0, 2.0, 3.0]) + 0.1 * np.eye(3, k=1)
X = np.array([1.0, 2.0, 3.0])
KEYED = sp.dok_array(D)
CASES = [
    *(case(P, D) for P in (sp.dok_array, sp.dok_matrix)),
    *(case(P, sp.csr_array(D)) for P in (sp.dok_array, sp.dok_matrix)),
    *(case(P.todok, P(D)) for P in (sp.csr_array, sp.coo_matrix, sp.lil_array)),
    *(case(f, KEYED, D + 1.0) for f in (sp.dok_array.__add__, sp.dok_array.__sub__, sp.dok_array.__mul__)),
    case(sp.dok_array.get, KEYED, (0, 1)),
    case(sp.dok_array.get, KEYED, (2, 0), 0.5),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


class Assembly:
    """A matrix that is filled entry by entry, and how often."""

    def __init__(self) -> None:
        self.matrix, self.count = sp.dok_array((3, 3)), 0

    def put(self, i: int, j: int, v: Any) -> None:
        self.matrix[i, j] = v
        self.count += 1


def held(a: Any) -> Any:
    made = Assembly()
    made.put(0, 1, a)
    made.put(1, 1, a * a)
    same = made.matrix
    same[0, 1] = same[0, 1] * a
    return made.matrix.sum() * made.count


def twice_in_a_list(a: Any) -> Any:
    d = sp.dok_array((3, 3))
    listed = [d, d]
    listed[0][0, 0] = a
    listed[1][0, 0] += a * a
    return d.sum() + listed[0][0, 0]


def system(a: Any) -> Any:
    d = sp.dok_matrix((3, 3))
    for i in range(3):
        for j in range(3):
            if i != j:
                d[i, j] = a * (i + j)
    return np.sum(spsolve(sp.csc_matrix(d) + 5.0 * sp.eye(3, format="csc"), X))


def slices(a: Any) -> Any:
    d = sp.dok_array((4, 4))
    d[1:3, 0:2] = np.ones((2, 2)) * a
    d[[0, 3], [3, 0]] = [a, 2 * a]
    d[1, 0] = 0
    return d.power(2).sum() + (d @ d).sum() + (d - d.T * a).sum() + d.diagonal().sum()


def by_keys(a: Any) -> Any:
    d, total = sp.dok_array(D * a), 0.0
    for k in d.keys():  # noqa: SIM118  SciPy's iteration gives numbers
        total = total + d[k] ** 2 * (k[0] + 1)
    return total + d.get((0, 0)) * d.get((2, 0), a) + len(d) * d.get((-1, -1))


def copied(a: Any) -> Any:
    d = sp.csr_array(D * a).todok()
    before = d.copy()
    d[0, 0] = a**3
    del before
    return d.sum() * sp.dok_array(D * a).asformat("dok").sum() + abs(d).sum()


PROGRAMS: dict[Callable[[Any], Any], int] = {
    held: 1,
    twice_in_a_list: 2,
    system: 1,
    slices: 2,
    by_keys: 1,
    copied: 1,
}


@pytest.mark.parametrize("f", PROGRAMS)
def test_programs(f: Callable[[Any], Any]) -> None:
    check_grads(f, 1.3, order=PROGRAMS[f])


def test_by_the_array_itself() -> None:
    for f in (lambda a: (a @ X).sum() ** 2, lambda a: a.power(2).sum(), lambda a: a.tocsr().sum()):
        check_grads(f, KEYED, order=1)
    assert cr.grad(lambda a: (a @ X).sum())(KEYED).nnz == KEYED.nnz


METHODS: dict[str, Callable[[Any], Any]] = {
    "values": lambda d: sum(d.values()),
    "items": lambda d: sum(v for _, v in d.items()),
    "pop": lambda d: d.pop((0, 0)),
    "setdefault": lambda d: d.setdefault((0, 0), 1.0),
    "__delitem__": lambda d: (d.__delitem__((0, 0)), d.sum())[1],
    "update": lambda d: (d.update({(0, 0): d[0, 0]}), d.sum())[1],
}


@pytest.mark.parametrize("name", METHODS)
def test_other_methods_of_dictionaries_are_refused(name: str) -> None:
    with pytest.raises(cr.NoRuleError, match=name):
        cr.grad(lambda a: METHODS[name](sp.dok_array(D * a)))(2.0)
