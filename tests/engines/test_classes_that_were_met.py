"""Classes of installed packages that were met say nothing about the lists and arrays of other code."""

import numpy as np
import pytest

import chainrules as cr
from chainrules.testing import check_grads

pd = pytest.importorskip("pandas")


def squared(x):
    return (x * x).sum()


def rows(x):
    return np.r_[x[:2], 0.5, x[2]] @ np.c_[x, x**2].reshape(-1)[:4]


def pieces(x):
    return np.sum(np.piecewise(x, [x < 0.0, x >= 0.0], [lambda v: v**2, lambda v: v**3]))


def kept(x):
    found = []
    found.append(x * x)
    found[0][1] = 3.0 * x[0]
    return np.sum(found[0].astype(float) * x)


def written(x):
    y = np.empty_like(x)
    np.multiply(x, x[::-1], out=y)
    np.sin(y, out=y)
    return np.sum(y * x)


@pytest.mark.parametrize("f", [rows, pieces, kept, written])
def test_what_a_table_can_do_is_no_matter_to_others(f):
    for table in (pd.DataFrame({"x": [1.0]}), pd.Series([1.0])):
        with pytest.raises(cr.ChainRulesError, match="to_numpy"):
            cr.grad(squared)(table)
    check_grads(f, np.array([1.3, 0.7, -0.4]))
