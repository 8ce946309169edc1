"""Random programs that change an object by one of many ways to it agree with differences, in both modes."""

import warnings

import pytest
from tests.engines.fuzzing import SCALE, Compared, Untold
from tests.engines.reaching_programs import NAMES, text_of

PER_BATCH = 12


def told(seed):
    """What is told of a program: that it was compared, or why it was not."""
    try:
        compile(text_of(seed), "", "exec")
        Compared(text_of(seed), NAMES).first_order()
    except SyntaxError:  # a template filled in as Python does not allow
        return "no program"
    except Untold as reason:
        return str(reason)
    return "compared"


@pytest.mark.parametrize("batch", range(4 * SCALE))
def test_programs_agree_with_differences(batch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = [told(seed) for seed in range(batch * PER_BATCH, (batch + 1) * PER_BATCH)]
    assert found.count("compared") >= PER_BATCH // 3, found
