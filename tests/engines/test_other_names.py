"""What a nested function changes under another name: the caller sees it, or it is refused, never lost.

The expected values are differences of the program itself.
"""

from collections import deque

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.fuzzing import Compared

import chainrules as cr

X = np.array([0.317, 0.713, 1.129])
ARRAY = [
    "row[:] = 0.5", "row[0] = v", "row *= 0.5", "row += v", "row -= row", "row.fill(0.5)", "row.sort()",
    "np.add.at(row, 0, v)", "np.copyto(row, 0.5)", "np.multiply(row, 2.0, out=row)", "row.flat[0] = v",
]  # fmt: skip
LIST = [
    "b.append(v)", "b[0] = 0.5", "b += [v]", "b *= 2", "b.pop()", "del b[0]", "del b[:1]", "b[:] = [v]",
    "b.clear()", "b.insert(0, v)", "b.reverse()",
]  # fmt: skip
OF_A_PARAMETER = """\
def program(x):
    grid, b = np.outer(x, x), [x[0], x[1]]
    x[2] *= 1.0
    def change(v, grid, q):
        row = grid[:, 2]
        {}
    change(x[1], grid, b)
    return np.sum(grid * grid[::-1]) + sum(u * u for u in b) * x[0]
"""
OF_A_VARIABLE = """\
def program(x):
    grid, q = np.outer(x, x), [[x[0], x[1]], [2.0]]
    def change(v):
        row = grid[:, 2]
        for b in q[:1]:
            {}
    change(x[1])
    return np.sum(grid * grid[::-1]) + sum(u * u for u in q[0]) * x[0]
"""
HANDED_ON = """\
def program(x):
    grid, q = np.outer(x, x), [x[0], x[1]]
    def change(v):
        row, b = grid[:, 2], q
        {}
        return v
    w = list(map(change, [x[1]]))
    return np.sum(grid * grid[::-1]) + sum(u * u for u in q) * w[0]
"""
HERE = """\
def program(x):
    q, v = [x[0], x[1]], x[2]
    b = q
    {}
    return sum(u * u for u in q) * x[0]
"""


@pytest.mark.parametrize("change", [*ARRAY, *(f"b = q; {c}" for c in LIST)])
def test_a_parameter_under_another_name(change):
    Compared(OF_A_PARAMETER.format(change), {"np": np}).first_order()


@pytest.mark.parametrize("change", ARRAY + LIST)
def test_a_captured_variable_under_another_name(change):
    Compared(OF_A_VARIABLE.format(change), {"np": np}).first_order()


@pytest.mark.parametrize("change", ["row[:] = 0.5", "row *= 0.5", "row += v", "b += [v]", "b[0] = 0.5"])
def test_a_function_that_is_handed_on(change):
    program = Compared(HANDED_ON.format(change), {"np": np})
    for derivative in (lambda: rightly.grad(program.f)(X), lambda: rightly.jvp(program.f, (X,), (X,))):
        derivative()


@pytest.mark.parametrize("change", LIST)
def test_a_variable_of_the_same_function(change):
    Compared(HERE.format(change), {"np": np}).first_order()


def test_numbers_read_from_what_is_captured_are_no_changes_of_it():
    def f(x):
        rates = [x[0], x[1]]

        def cost(v):
            total = rates[0]
            total += v * rates[1]
            return total

        return sum(map(cost, [x[2], 2.0]))

    np.testing.assert_allclose(cr.grad(f)(X), [2.0, X[2] + 2.0, X[1]])
    np.testing.assert_allclose(cr.jvp(f, (X,), (np.ones(3),))[1], 4.0 + X[2] + X[1])


@pytest.mark.parametrize("times", [-1, 0, 1, 3])
@pytest.mark.parametrize("kind", ["list", "deque"])
def test_lists_that_are_multiplied_stay_themselves(times, kind):
    text = f"def program(x):\n    q = b = {kind}([x[0], x[1]])\n    b *= {times}\n    return sum(q) * x[2]\n"
    Compared(text, {"np": np, "deque": deque}).first_order()


SWAPS = [
    "a[0], a[1] = a[1], a[0]",
    "a[0], a[1], a[2] = a[1], a[2], a[0]",
    "a[0], a[1] = a[1::-1]",
    "a[0], a[1] = list(a[1::-1])",
    "t = a[1::-1]; a[0], a[1] = t",
    "a[0], *b = a[1], a[0]; a[1] = b[0] * x",
    "(a[0], b), c = (a[1], a[0]), a[0]; a[1] = b + c",
    "i = 0; a[i], i = x, 1; a[i] *= x[0]",
]


@pytest.mark.parametrize("swap", SWAPS)
def test_rows_are_views_when_they_are_stored(swap):
    """The first store changes what the second one stores, as in Python."""
    lines = swap.replace("; ", "\n    ")
    text = f"def program(x):\n    a = np.outer(x, x)\n    {lines}\n    return np.sum(a * x[:, None])\n"
    Compared(text, {"np": np}).first_order()
