"""Random programs: value, effects, both modes and the four pairs of modes agree with differences."""

import warnings
from collections.abc import Iterator

import pytest
from tests.engines.fuzzing import PAIRS, SCALE, Compared, Untold
from tests.engines.grammar_parts import NAMES
from tests.engines.test_random_statements import drawn

import chainrules as cr


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.simplefilter("ignore", cr.ZeroDerivativeWarning)
        yield


@pytest.mark.parametrize("start", range(100, 100 + 60 * SCALE, 20))
def test_first_derivatives(start: int) -> None:
    told = 0
    for seed in range(start, start + 20):
        try:
            Compared(drawn(seed), NAMES).first_order()
            told += 1
        except Untold:
            pass
    assert told >= 8


@pytest.mark.parametrize("start", range(100, 100 + 20 * SCALE, 10))
def test_second_derivatives(start: int) -> None:
    told = 0
    for seed in range(start, start + 10):
        try:
            program = Compared(drawn(seed, depth=1, size=2), NAMES)
        except Untold:
            continue
        told += program.second_order() == list(PAIRS)
    assert told >= 4
