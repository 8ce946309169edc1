"""The noncentral F distribution and its inverses against differences and numbers of mpmath."""

import numpy as np
import pytest
from scipy import optimize, special
from tests.rules.cases import case, rrule_of

import chainrules as cr
from chainrules.core import NotDifferentiableError
from chainrules.testing import check_grads, check_rule, exempt

M, N, C, F = np.array([3.0, 2.5]), np.array([5.0, 30.0]), np.array([2.0, 7.0]), np.array([1.5, 3.0])
CASES = [
    case(special.ncfdtr, M, N, C, F),
    case(special.ncfdtri, 3.0, 5.0, 2.0, 0.4),
]
ROUGH = "SciPy's value is right to four digits, and its differences to no more"
ROUGH_INVERSES = [(special.ncfdtridfn, 0), (special.ncfdtridfd, 1), (special.ncfdtrinc, 2)]
EXEMPT = [exempt(f, why=ROUGH) for f, _ in ROUGH_INVERSES]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def test_second_order_by_all_arguments():
    check_grads(special.ncfdtr, 3.0, 5.0, 2.0, 1.5)


@pytest.mark.parametrize(("inverse", "at"), ROUGH_INVERSES)
def test_rough_inverses_have_the_slopes_of_the_exact_ones(inverse, at):
    x = (3.0, 5.0, 2.0, 1.5)
    given = (*x[:at], special.ncfdtr(*x), *x[at + 1 :])
    tangents = []
    slopes = rrule_of(inverse, *given)[1](1.0)
    for i in range(4):
        if i == at:
            ends = [special.ncfdtr(*x[:at], x[at] + h, *x[at + 1 :]) for h in (1e-4, -1e-4)]
            tangents.append(2e-4 / (ends[0] - ends[1]))
        else:
            ends = [exact(x, i, h, at) for h in (1e-4, -1e-4)]
            tangents.append((ends[0] - ends[1]) / 2e-4)
    assert slopes == pytest.approx(tangents, rel=3e-4)


@pytest.mark.parametrize(("inverse", "at"), ROUGH_INVERSES)
def test_rough_inverses_written_into_an_array_have_the_same_slopes(inverse, at):
    x = (3.0, 5.0, 2.0, 1.5)
    given = (*x[:at], special.ncfdtr(*x), *x[at + 1 :])

    def written(*x):
        room = np.zeros(1)
        inverse(*x, out=room)
        return room[0]

    assert cr.grad(written, argnums=(0, 1, 2, 3))(*given) == pytest.approx(
        rrule_of(inverse, *given)[1](1.0), rel=1e-12
    )


def exact(x, i, h, at):
    """The inverse at `at`, by bisection, when argument i has moved by h"""
    p = special.ncfdtr(*x)
    moved = [v + h if j == i else v for j, v in enumerate(x)]
    return optimize.brentq(
        lambda y: special.ncfdtr(*moved[:at], y, *moved[at + 1 :]) - p, 0.1, 20.0, xtol=1e-13
    )


def test_without_noncentrality_it_is_the_central_one():
    got, want = (
        rrule_of(special.ncfdtr, 3.0, 5.0, 0.0, 1.5)[1](1.0),
        rrule_of(special.fdtr, 3.0, 5.0, 1.5)[1](1.0),
    )
    assert [got[0], got[1], got[3]] == pytest.approx(list(want), rel=1e-13)


def test_in_the_lower_tail_no_digit_is_lost():
    """Differences of the mixture at 40 digits"""
    got = rrule_of(special.ncfdtr, 10.0, 4.0, 20.0, 0.2)[1](1.0)
    want = (1.7663144227180842e-06, -2.0965905086760652e-05, -1.0862291247527708e-05, 0.0009439848346065745)
    assert got == pytest.approx(want, rel=1e-11, abs=0)


def test_at_zero_nothing_moves_it():
    assert rrule_of(special.ncfdtr, 3.0, 5.0, 2.0, 0.0)[1](1.0) == (0.0, 0.0, 0.0, 0.0)


def test_too_many_degrees_of_freedom_are_refused():
    with pytest.raises(NotDifferentiableError, match="noncentral F distribution by dfd"):
        cr.grad(lambda n: special.ncfdtr(3.0, n, 2.0, 1.5))(2e3)
