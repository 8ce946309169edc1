"""Where integrals for derivatives are split: at numbers that rise, between the limits."""

from __future__ import annotations

import numpy as np

from chainrules.rules.scipy.integrate.breaks import breaks_in, with_breaks

SITES = np.array([0.0, 0.3, 0.7, 1.0])


def test_numbers_that_rise_between_the_limits() -> None:
    held = [1.0, SITES, np.array([0.5, 0.2]), np.ones((2, 2)), np.array([0.3, 0.5])]
    assert np.array_equal(breaks_in(held, 0.0, 1.0), [0.3, 0.5, 0.7])
    assert np.array_equal(breaks_in(held, 0.6, 0.1), [0.3, 0.5])


def test_none_of_many_and_none_where_a_limit_is_infinite() -> None:
    assert len(breaks_in([SITES], 0.0, np.inf)) == 0
    assert len(breaks_in([np.linspace(0.0, 1.0, 1000)], 0.0, 1.0)) == 0


def test_beside_the_points_that_the_user_gives() -> None:
    assert np.array_equal(with_breaks(None, SITES[1:3]), [0.3, 0.7])
    assert np.array_equal(with_breaks([0.7, 0.9], SITES[1:3]), [0.3, 0.7, 0.9])
