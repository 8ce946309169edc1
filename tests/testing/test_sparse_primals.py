"""Sparse arrays as arguments of a check: what is stored moves, in every format, and nothing else."""

import numpy as np
import pytest
import scipy.sparse as sp

from chainrules.tangents import ravel
from chainrules.testing.primals import frozen, mismatch, precision, widened
from chainrules.testing.random import random_tangent

D = np.array([[4.0, 1.0, 0.0], [0.0, 3.0, 0.5], [1.3, 0.0, 5.0]])
FORMATS = ("csr", "csc", "coo", "bsr", "dia", "lil")
CLASSES = [getattr(sp, f"{name}_{kind}") for name in FORMATS for kind in ("array", "matrix")]


@pytest.mark.parametrize("P", CLASSES)
def test_a_random_tangent_keeps_class_and_pattern(P: type) -> None:
    t = random_tangent(P(D), np.random.default_rng(0))
    assert type(t) is P or t.format == P(D).format
    assert np.array_equal(t.toarray() != 0, D != 0)


def test_sparse_arrays_are_compared_by_their_entries() -> None:
    a, b = sp.csr_array(D), sp.csr_array(D)
    assert not mismatch(a, b)
    b.data[0] += 1.0
    assert mismatch(a, b)
    assert mismatch(a, sp.csc_array(D)) == "a csr_array and a csc_array"


def test_a_frozen_tangent_is_a_copy_that_cannot_be_written() -> None:
    a = sp.csr_array(D)
    t = frozen(a)
    with pytest.raises(ValueError, match="read-only"):
        t.data[0] = 1.0
    a.data[0] = 2.0
    assert t.data[0] == 4.0


def test_single_precision_is_widened() -> None:
    a = sp.csr_array(D.astype(np.float32))
    assert precision(a) == np.finfo(np.float32).eps
    assert widened(a).dtype == np.float64


def test_the_order_in_which_a_dok_array_was_written_does_not_matter() -> None:
    a, b = sp.dok_array((2, 2)), sp.dok_array((2, 2))
    a[0, 0], a[1, 1] = 1.0, 2.0
    b[1, 1], b[0, 0] = 2.0, 1.0
    assert np.array_equal(ravel(a)[0], ravel(b)[0])
