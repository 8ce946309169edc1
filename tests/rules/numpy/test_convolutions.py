"""Convolutions and correlations in every mode, the longer sequence first or second."""

from typing import Any

import numpy as np
import pytest
from tests.rules.cases import case, complex_normal, normal

import chainrules as cr
from chainrules.testing import check_grads, check_rule

MODES = ("full", "same", "valid")
LENGTHS = [(5, 3), (3, 5), (5, 2), (2, 5), (4, 4), (1, 3), (3, 1)]
CASES = [
    *(
        case(f, normal(m), normal(n, seed=1), mode=mode)
        for f in (np.convolve, np.correlate)
        for m, n in LENGTHS
        for mode in MODES
    ),
    *(
        case(f, complex_normal(m), complex_normal(n, seed=2), mode=mode)
        for f in (np.convolve, np.correlate)
        for m, n in LENGTHS[:4]
        for mode in MODES
    ),
    case(np.convolve, normal(3), complex_normal(2)),
    case(np.correlate, normal(3), complex_normal(2)),
    case(np.convolve, normal(4).astype(np.float32), normal(2).astype(np.float32)),
    case(np.convolve, 2.0, normal(3), why="a number is a sequence of one"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f: Any, args: Any, kwargs: Any) -> None:
    check_rule(f, *args, **kwargs)


@pytest.mark.parametrize("mode", MODES)
def test_second_order(mode: Any) -> None:
    check_grads(lambda a: np.convolve(a, a[:2] ** 2, mode), normal(4))
    check_grads(lambda a: np.correlate(a, a[:2] ** 2, mode), complex_normal(3))


@pytest.mark.parametrize("mode", [2])
def test_other_modes_are_refused_by_name(mode: Any) -> None:
    with pytest.raises(cr.UnsupportedArgument, match="mode"):
        cr.grad(lambda a: np.sum(np.convolve(a, a, mode)))(normal(3))
