"""Sparse arrays as tangents: sums, patterns with stored zeros, every format, and the policy."""

import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

import chainrules as cr
from chainrules import ShapeMismatch
from chainrules.tangents.sparse import (
    add_sparse,
    canonical,
    common,
    keeps_pattern,
    scatter,
    storable,
    sum_of_patterns,
)

FORMATS = ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")


def stored(format: str) -> sparse.sparray:
    """Three entries of a matrix of 20 × 20, one of them a zero."""
    rows, columns, data = [0, 1, 2], [0, 1, 2], [1.0, 0.0, 3.0]
    return sparse.coo_array((data, (rows, columns)), shape=(20, 20)).asformat(format)


@pytest.mark.parametrize("format", FORMATS)
def test_the_pattern_keeps_zeros_that_are_stored(format: str) -> None:
    made = stored(format)
    pattern = canonical(made)
    assert pattern.nnz >= (2 if format in ("dok", "lil") else 3)
    assert np.array_equal(pattern.toarray(), made.toarray())


@pytest.mark.parametrize("format", ["coo", "csc", "csr"])
def test_a_sum_of_patterns(format: str) -> None:
    other = sparse.coo_array(([-1.0, 5.0], ([0, 7], [0, 7])), shape=(20, 20)).asformat("csc")
    total = sum_of_patterns(stored(format), other)
    assert total.format == format
    assert total.nnz == 4  # the zero that is stored, and the sum that vanishes, too
    assert np.array_equal(total.toarray(), stored(format).toarray() + other.toarray())


def test_a_sum_stays_sparse_while_it_is() -> None:
    a = stored("csr")
    assert sparse.issparse(add_sparse(a, a))
    full = sparse.csr_array(np.ones((20, 20)))
    assert isinstance(add_sparse(a, full), np.ndarray)
    assert type(add_sparse(sparse.csr_matrix(a), np.ones((20, 20)))) is np.ndarray
    with pytest.raises(ShapeMismatch):
        add_sparse(a, sparse.csr_array(np.ones((20, 1))))


def test_entries_go_into_a_buffer_and_repeats_add() -> None:
    twice = sparse.coo_array(([1.0, 2.0], ([1, 1], [0, 0])), shape=(2, 1))
    assert scatter(twice, np.ones((2, 1))).tolist() == [[1.0], [4.0]]
    with pytest.raises(ShapeMismatch):
        scatter(twice, np.ones((1, 2)))


def test_places_that_two_lists_share() -> None:
    ours, theirs = common(
        (np.array([0, 1, 2]), np.array([0, 0, 1])), (np.array([2, 0]), np.array([1, 0])), (3, 2)
    )
    assert sorted(zip(ours.tolist(), theirs.tolist(), strict=True)) == [(0, 1), (2, 0)]


def test_what_can_be_stored() -> None:
    assert storable((2, 2), np.dtype("c16"))
    assert not storable((), np.dtype(float))
    assert not storable((2,), np.dtype("f2"))
    assert not storable((2,), np.dtype(object))


def test_the_policy_holds_for_its_block() -> None:
    assert keeps_pattern()
    with cr.sparse_policy("free"):
        assert not keeps_pattern()
    assert keeps_pattern()
    with pytest.raises(ValueError, match="'pattern' or 'free'"), cr.sparse_policy("dense"):  # type: ignore[arg-type]  # what is tested
        pass


def test_nothing_imports_scipy_to_answer_a_question() -> None:
    asked = "import sys, chainrules as cr\nassert not cr.tangents.sparse.is_sparse(1.0)\n"
    subprocess.run([sys.executable, "-c", asked + "assert 'scipy.sparse' not in sys.modules"], check=True)
