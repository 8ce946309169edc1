"""Random programs of all statements: both modes and the four pairs of modes agree with differences."""

import random
import warnings

import pytest
from hypothesis import HealthCheck, Phase, assume, event, given, settings
from hypothesis import strategies as st
from tests.engines.fuzzing import PAIRS, SCALE, Compared, Untold, examples
from tests.engines.grammar import Writer
from tests.engines.grammar_parts import NAMES

import chainrules as cr

FILTERED = [HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large]
lasting = pytest.mark.skipif(SCALE == 1, reason="takes minutes: CHAINRULES_FUZZ=2 runs it")


@st.composite
def programs(draw, depth=2, size=5):
    """The text of a function `program(x)`."""
    return Writer(lambda n: draw(st.integers(0, n - 1))).program(depth, size)


def drawn(seed, depth=2, size=5):
    """The same, always the same for a seed."""
    return Writer(random.Random(seed).randrange).program(depth, size)


def compared(text):
    """What is told of a program, and the program with its first derivatives compared, if that is possible."""
    try:
        program = Compared(text, NAMES)
        program.first_order()
    except Untold as reason:
        return str(reason), None
    return "compared", program


@pytest.fixture(autouse=True)
def _numbers_may_overflow():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.simplefilter("ignore", cr.ZeroDerivativeWarning)
        yield


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_first_derivatives(start):
    told = [compared(drawn(seed))[0] for seed in range(start, start + 10)]
    assert told.count("compared") >= 5, told


@pytest.mark.parametrize("seed", [1, 3, 6, 9])
def test_second_derivatives(seed):
    _, program = compared(drawn(seed, depth=1, size=2))
    assert program.second_order() == list(PAIRS)


@lasting
@settings(examples(40), suppress_health_check=[*FILTERED, HealthCheck.function_scoped_fixture])
@given(programs())
def test_first_derivatives_of_new_programs(text):
    told, program = compared(text)
    event(told)
    assume(program)


@lasting
@settings(
    examples(6),
    suppress_health_check=[*FILTERED, HealthCheck.function_scoped_fixture],
    phases=[Phase.generate],  # each takes seconds, and smaller ones hundreds of tries
)
@given(programs(depth=1, size=3))
def test_second_derivatives_of_new_programs(text):
    _, program = compared(text)
    assume(program)
    event(", ".join(program.second_order()))
