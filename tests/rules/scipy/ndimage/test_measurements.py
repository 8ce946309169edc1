"""Measurements of labelled objects, of some of them and of one."""

import numpy as np
import pytest
from scipy import ndimage
from tests.rules.cases import case, held, normal

import chainrules as cr
from chainrules.testing import check_rule

N = ndimage
X = normal(3, 4)
L = np.array([[0, 1, 1, 2], [3, 0, 2, 2], [1, 3, 0, 3]])
APPLY = N.labeled_comprehension
LINE = [N.sum, N.sum_labels, N.mean, N.variance, N.standard_deviation, N.maximum, N.minimum, N.median]


def energy(part):
    return np.sum(part**2)


def moment(part, places):
    return np.sum(part * places)


CASES = [
    *(case(f, X) for f in (*LINE, N.center_of_mass)),
    *(case(f, X, labels=L) for f in LINE),
    *(case(f, X, labels=L, index=2) for f in LINE),
    *(case(f, X, labels=L, index=np.array([3, 1])) for f in (*LINE, N.center_of_mass)),
    *(case(f, X, labels=L, index=np.array([1, 7]), why="one without an entry") for f in (N.sum, N.maximum)),
    case(N.extrema, X, labels=L, index=np.array([3, 1])),
    case(N.extrema, X),
    case(APPLY, X, held(L), held(np.array([1, 3, 5])), held(energy), out_dtype=float, default=0.5),
    case(APPLY, X, held(L), held(2), held(moment), out_dtype=float, default=0, pass_positions=True),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_labels_have_no_derivative():
    labels, count = N.label(X > 0)
    assert cr.grad(lambda s: s * N.label(s * X > 0)[1])(1.0) == count
    assert labels.max() == count
