"""Random programs that change things in place agree with central differences, in both modes."""

import linecache

import numpy as np
import pytest
from tests.engines.changing_programs import NAMES, text_of
from tests.engines.fuzzing import SCALE

import chainrules as cr

X = np.array([0.3, 0.7, 1.1])
STEP = 1e-6


def made(seed):
    text, name = text_of(seed), f"<changing program {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace = dict(NAMES)
    exec(compile(text, name, "exec"), namespace)
    return namespace["program"]


@pytest.mark.parametrize("batch", range(8 * SCALE))
def test_programs_agree_with_differences(batch):
    compared = 0
    for seed in range(batch * 10, batch * 10 + 10):
        f = made(seed)
        try:
            value = f(X.copy())
        except (IndexError, TypeError):  # no program of Python's
            continue
        if not np.isfinite(value) or abs(value) > 1e4:
            continue
        expected = [(f(X + h) - f(X - h)) / (2 * STEP) for h in STEP * np.eye(3)]
        scale = 1e-4 * max(1.0, abs(value))
        np.testing.assert_allclose(cr.grad(f)(X), expected, rtol=1e-3, atol=scale, err_msg=text_of(seed))
        columns = [cr.materialize(cr.jvp(f, (X,), (e,))[1], like=value) for e in np.eye(3)]
        np.testing.assert_allclose(columns, expected, rtol=1e-3, atol=scale, err_msg=text_of(seed))
        compared += 1
    assert compared >= 5
