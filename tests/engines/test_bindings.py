"""Bindings: assignment in all its forms, names that are rebound, shadowed, deleted or used twice."""

import numpy as np
import pytest
from tests.engines.table import Table, check

table = Table()


@table(1.3)
def rebinding(x):
    y = x
    x = y * y
    y = x + y
    x = x * y
    y = 2.0
    x = x * y
    return x


@table(1.3, 0.4)
def unpacking(x, y):
    a, *b, c = (x, y, x * y, x + y)
    (p, q), r = (x, y), b[0]
    [s, t] = [y, x]
    d = e = x * q
    return a * c + p * r + b[1] * s - t + d * e


@table(1.3)
def unpacking_with_constants_and_nested_stars(x):
    (a, (b, *c)), d = (x, (x * x, 3.0, x)), 2.0
    return a * b + c[1] * d + c[0] * x


@table(1.3)
def a_name_twice_among_the_targets(x):
    pair = (x, x * x)
    a, a = pair
    _, _ = pair
    return a * _


@table(1.3)
def several_targets(x):
    a = b = c = x * x
    a = a * 2
    return a + b * c


@table(1.3)
def annotated(x):
    y: float = x * x
    z: float
    z = y * x
    return z


@table(1.3)
def augmented(x):
    s = 0.0
    s += x
    s *= x
    s -= 1.0
    s **= 2
    s /= x
    t: tuple[float, ...] = (x,)
    t += (x * x,)
    return s + t[0] * t[1]


@table(1.3)
def deleted(x):
    y = x * x
    del y
    y = x
    return y


@table(1.3)
def results_used_twice_and_not_at_all(x):
    y = x * x
    z = y * 3
    unused = z * y  # noqa: F841  # that is the point
    y = x
    for i in range(3):
        z = i
    return y * z + y * y


@table(1.3)
def duplicate_operands(x):
    return x * x + np.arctan2(x, x + x) + np.hypot(x, x)


@table(1.3)
def names_that_programs_use(x):
    t1 = x * x
    p1 = t1 + 1
    x_bar = p1 * 2
    trace1 = x_bar
    ZERO = trace1 * x
    add = ZERO
    gather = add + x
    result = gather
    result_bar = result * x
    make_pullback = result_bar
    operator_mul, x_dot, items = 2.0, 3.0, 4.0
    if x > 0:
        record1 = make_pullback * x
        _ = record1
    return record1 * operator_mul * x_dot + _ * items


@table(1.3)
def result_in_a_loop(x):
    result = x
    for _ in range(3):
        result = result * x
    return result


@table(1.3, 0.7)
@table(0.7, 1.3)
@table(0.0, 1.3)
def conditional_expressions(x, y):
    z = (x if x > y else y) * (y if x > y else x * y)
    return z + (x * 2 if y > 1 else 3.0)


@table(1.3, 0.7)
def short_circuits(x, y):
    w = x and y
    v = 0.0 or x * y
    u = x > 5 and y
    k = (x * 0.0 or y) if (x > 0 and y > 0) else x
    return w * v + k + float(u)


@table(1.3, 0.7)
def short_circuits_into_their_own_operand(x, y):
    x = x * 0.0 or x * 2 or y
    y = y > 0 and y * x
    y = (y and y * 3) if x > 1 else y
    return y * x


@table(3, 2.5)
def integers(n, x):
    return n * x + n // 2 * x + x % 2 + n**2


@table(1.7)
def a_table_look_up(x):
    knots = [1.0, 4.0, 9.0]
    i = int(x)
    w = x - i
    return (1 - w) * knots[i - 1] + w * knots[i]


@table(np.array([1.0, 2.0, 3.0]))
def masks_slices_and_indices(x):
    m = (x > 1.5) & (x < 5)
    n = len(x)
    picked = x[m].sum() + (x * m).sum() + np.where(m, x * x, x).sum() + (~m * x).sum()
    return picked + x[0] * x[-1] + np.sum(x[::2]) + np.sum(x[[0, 0, 2]]) + n * x[1] + x[n - 1 :].sum()


@table(np.array([1.0, 2.0, 3.0]))
def a_counting_loop(x):
    i, s = 0, 0.0
    while i < len(x):
        s = s + x[i] * x[i]
        i += 1
    return s


@table(1.3)
def displays(x):
    t = [x, x * x, *[3.0, x], *(x, 2.0)]
    d = {"a": x, "b": [x, 2.0], 3: t}
    n = int(x)
    return t[1:][0] * t[-2] + t[n:][0] + sum(t[: n + 1]) + d["b"][0] * d["a"] * d[3][0]


@table(1.3)
def lists_added_and_repeated(x):
    t = [x]
    t = t + [x * x]  # noqa: RUF005  # the sum is what is tested
    u = (x, 2.0) * 2
    return t[0] * t[-1] + sum(t) + u[2] * u[3]


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_both_modes_agree_with_differences(f, x):
    check(f, x)
