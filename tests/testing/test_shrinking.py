"""The smallest failing input: arrays are cut together, numbers made simple, the check stays the same."""

import numpy as np
import pytest

from chainrules.testing import CheckError, check_rrule


def smallest(f, *x):
    with pytest.raises(CheckError) as failure:
        check_rrule(f, *x)
    lines = str(failure.value).splitlines()
    return next((line for line in lines if line.startswith("  smallest: ")), ""), failure.value


def test_arrays_are_cut_together_and_numbers_made_simple(reverse):
    rng = np.random.default_rng(0)
    f = reverse(lambda a, b: a @ b, lambda g, a, b: (np.outer(g, b), 2 * a.T @ g))
    line, error = smallest(f, 1 + rng.uniform(size=(5, 4)), 1 + rng.uniform(size=4))
    assert "([[2.]], [1.])" in line
    assert error.check == "reverse against differences"


def test_what_needs_its_size_keeps_it(reverse):
    f = reverse(lambda x: np.cumsum(x), lambda g, x: np.cumsum(g))  # right for one entry
    line, _ = smallest(f, np.arange(1.0, 6.0))
    assert "([1. 2.])" in line


def test_where_nothing_is_smaller_nothing_is_said(reverse):
    line, _ = smallest(reverse(lambda x: 2.0 * x, lambda g, x: g), 1.0)
    assert line == ""
