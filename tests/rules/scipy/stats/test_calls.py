"""Calls of methods: the signature computed from the distribution, and the parts that programs are made of."""

import inspect

import numpy as np
import pytest
from scipy import stats

from chainrules.core import apply_rrule
from chainrules.core.registry import rules_of
from chainrules.rules.scipy.stats.calls import signature_with, standard, within
from chainrules.rules.scipy.stats.continuous import distributed
from chainrules.rules.scipy.stats.discrete import whole
from chainrules.rules.scipy.stats.logarithms import log1p_ratio
from chainrules.rules.scipy.stats.quantiles import drift, solved
from chainrules.testing import exempt

CASES: list = []
EXEMPT = [
    exempt(f, why="its value and its derivative come from two functions: checked by the methods that call it")
    for f in (distributed, solved, drift)
] + [
    exempt(whole, why="there is no derivative by a whole number"),
    exempt(log1p_ratio, why="its second argument is a whole number: checked by test_logarithms"),
]


def test_the_signature_is_that_of_the_distribution():
    signature = signature_with("x")(stats.beta)
    assert str(signature) == "(self, x, a, b, loc=0.0, scale=1.0)"
    assert str(signature_with("k")(stats.binom)) == "(self, k, n, p, loc=0.0)"
    assert all(p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for p in signature.parameters.values())


def test_a_call_divides_by_the_signature_of_its_first_argument():
    apply_rrule(stats.norm.pdf, 0.0)
    rules = rules_of(stats.rv_continuous.pdf)
    assert rules is not None
    split = rules.split_for((stats.gamma, 1.0))
    assert split is not None
    assert split.data == ("self", "x", "a", "loc", "scale")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((2.0,), ((2.0,), 0.0, 1.0)),
        ((2.0, 3.0), ((2.0,), 3.0, 1.0)),
        ((2.0, 3.0, 4.0), ((2.0,), 3.0, 4.0)),
    ],
)
def test_parameters_left_out(given, expected):
    assert standard(1, given) == expected


def test_within():
    inside, bad = np.array([True, False, False]), np.array([False, False, True])
    out = within(np.multiply, inside, bad, np.arange(3.0), (2.0,))
    assert np.array_equal(out, [0.0, 0.0, np.nan], equal_nan=True)
    assert within(np.multiply, True, False, 3.0, (2.0,)) == 6.0
