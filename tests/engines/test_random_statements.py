"""Random programs of all statements: both modes and the four pairs of modes agree with differences."""

import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.engines.fuzzing import SCALE, Compared, examples
from tests.engines.grammar import Writer
from tests.engines.grammar_parts import NAMES

import chainrules as cr

FILTERED = [HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large]


@st.composite
def programs(draw, depth=2, size=5):
    """The text of a function `program(x)`."""
    return Writer(lambda n: draw(st.integers(0, n - 1))).program(depth, size)


@pytest.fixture(autouse=True)
def _numbers_may_overflow():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.simplefilter("ignore", cr.ZeroDerivativeWarning)
        yield


@settings(examples(40), suppress_health_check=[*FILTERED, HealthCheck.function_scoped_fixture])
@given(programs())
def test_first_derivatives(text):
    Compared(text, NAMES).first_order()


@pytest.mark.skipif(SCALE == 1, reason="takes minutes: CHAINRULES_FUZZ=2 runs it")
@settings(examples(6), suppress_health_check=[*FILTERED, HealthCheck.function_scoped_fixture])
@given(programs(depth=1, size=3))
def test_second_derivatives(text):
    program = Compared(text, NAMES)
    program.first_order()
    program.second_order()
