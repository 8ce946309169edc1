"""Control flow: branches, loops, jumps and returns, whatever they are nested in."""

import numpy as np
import pytest
from tests.engines.random_programs import function_of
from tests.engines.table import Table, check

import chainrules as cr

table = Table()


@table(2.0)
@table(6.0)
def branch(x):
    r = 2 * x
    if x < 5:  # noqa: SIM108  # the statement is what is tested
        r = r * r
    else:
        r = 3 * r
    return r + 1


@table(1.3)
@table(-0.7)
@table(0.2)
def elif_chain(x):
    if x > 1:
        y = x**3
    elif x < 0:
        y = -x
    else:
        y = 2.0
    return y * x


@table(1.3)
def assigned_in_one_branch_only(x):
    if x > 1:
        z = x * x
    if x < 0:
        z = 3.0
    return z * x


@table(1.3)
def constant_in_the_branch_taken(x):
    y = x * x
    if x > 1:
        y = 3.0
    return y * x


@table(1.3)
def nested_loops_with_break_continue_and_else(x):
    s = 0.0
    for i in range(5):
        if i == 1:
            continue
        for j in range(4):
            if j > i:
                break
            s = s + x**j * i
        else:
            s = s * x
        if s > 100:
            break
    else:
        s = s + x
    return s


@table(1.3)
def while_with_else_not_reached(x):
    n, s = 0, x
    while s < 50:
        s = s * s + x
        n += 1
        if n > 6:
            break
    else:
        s = s - x * 3
    return s / n


@table(1.3)
def while_true_with_return(x):
    n = 0
    while True:
        n += 1
        x = x * 1.1
        if n > 5:
            return x


@table(1.3)
def while_whose_test_has_a_side_effect(x):
    flags = iter([1, 1, 0])
    s = x
    while next(flags):
        s = s * x
    return s


@table(1.3)
def return_from_inside_two_loops(x):
    for i in range(10):
        for j in range(3):
            if i * j == 4:
                return x * i + j * x * x
    return x


@table(1.3)
def continue_in_elif(x):
    s, i = 0.0, 0
    while i < 6:
        i = i + 1
        if i % 2:
            continue
        elif i == 4:
            s = s + x
            continue
        s = s + x * x * i
    return s


@table(1.3)
def for_else_runs(x):
    for i in range(3):
        if i > 5:
            return x
    else:
        x = x * x
    return x


@table(1.3)
def loops_that_do_not_run(x):
    y = x
    for v in []:  # type: ignore[var-annotated]  # of nothing
        y = y * v
    for _ in range(0):
        y = y * 0
    while y < 0:
        y = y * x
    return y


@table(1.3)
def target_of_a_loop_afterwards(x):
    for v in (x, x * x, x * x * x):
        w = v
    return v * w


@table(1.3)
def target_rebound_in_the_body(x):
    for v in (x, x * x):
        v = v * 2  # rebinding the target is what is tested
        w = v
    return v + w


@table(1.3)
def iterable_that_varies_only_later(x):
    values, s = [1.0, 2.0], 0.0
    for v in values:
        s = s + v * x
        values = [x, x]
    return s + values[0]


@table(1.3)
def the_variable_carried_changes_its_kind(x):
    y = 1.0
    for i in range(4):
        y = x * y if i % 2 else 2.0
    return y


@table(2.0)
def early_return_of_a_constant(x):
    if x < 0:
        return 1.0
    if x > 100:
        return x
    return x * x


@table(1.3, 0.7)
def swap_in_a_loop(a, b):
    for _ in range(4):
        a, b = b, a + b * b
    return a * b


@table(1.5)
def chained_comparisons(x):
    s = 0.0
    for i in range(5):
        if 0 < i < 3 <= x + 2:
            s = s + x * i
        elif i == 3:
            s = s * x
        else:
            s = s - x
    return s


@table(2.0)
def dead_code_after_return(x):
    return x * x
    x = 3.0
    return x


@table(2.0)
def a_value_that_may_be_none(x):
    y = None
    if x > 1:
        y = x * x
    if y is None:
        return x
    return y + x


@table(2.0)
def inactive_match_and_try(x):
    match "a":
        case "a":
            c = 2.0
        case _:
            c = 3.0
    try:
        k = int("q")
    except ValueError:
        k = 4
    return c * k * x


@table(np.array([1.0, 2.0, 3.0]))
def with_around_statements_loops_and_returns(x):
    with np.errstate(divide="ignore"), np.errstate(invalid="ignore"):
        y = x / np.array([0.5, 1.0, 2.0])
        for v in x:
            y = y * v
            with np.errstate(all="ignore"):
                if v > 2.5:
                    return y
    return x


@table(np.arange(6.0).reshape(2, 3) + 1)
def loops_over_arrays(x):
    s = 0.0
    for row in x:
        for v in row:
            s = s + v * v
    for i, row in enumerate(x):
        s = s + row.sum() * i
    for a, b in zip(x[0], x[1], strict=True):
        s = s + a * b
    for v in x.T.ravel()[::-1]:
        s = s * 0.5 + v
    return s


@table({"a": 2.0, "b": 3.0})
def loops_over_a_dict(d):
    s = 0.0
    for k in d:
        s = s + d[k]
    for k, v in d.items():
        s = s + v * v * len(k)
    for v in d.values():
        s = s * v
    return s


@table(1.3)
def a_choice_whose_parts_call_what_reads_its_target(x):
    t = x * x

    def scaled():
        return t * x

    t = x > 0 and scaled()
    return t * x


def positive(v):
    if v > 0:
        raise ValueError
    return v


@table(1.3)
def a_choice_that_an_exception_leaves(x):
    t = x * x
    try:
        t = 2 * x and positive(x)
    except ValueError:
        t = t * x
    return t


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_both_modes_agree_with_differences(f, x):
    check(f, x)


def test_a_function_of_many_branches_is_differentiated_twice():
    steps = [f"    if s > {i / 250}:\n        s = s + 0.002 * x" for i in range(250)]
    f = function_of("\n".join(["def program(x):", "    s = x * x", *steps, "    return s"]))
    first, second = cr.grad(f)(0.7), cr.grad(cr.grad(f))(0.7)
    taken = sum(0.49 + 0.002 * 0.7 * k > i / 250 for i, k in counted())
    assert first == pytest.approx(1.4 + 0.002 * taken)
    assert second == pytest.approx(2.0)


def counted():
    """Each threshold with how often a smaller one was passed."""
    passed = 0
    for i in range(250):
        yield i, passed
        passed += 0.49 + 0.002 * 0.7 * passed > i / 250
