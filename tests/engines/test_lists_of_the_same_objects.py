"""Lists that are added, repeated, cut out or copied hold the very objects: a change shows by every way."""

import heapq
import operator
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import chainrules as cr

X = np.array([0.7, -0.4, 1.3])


class Layer:
    def __init__(self, w: float) -> None:
        self.w, self.y = w, np.zeros(3)

    def forward(self, x: Any) -> Any:
        self.y = np.tanh(self.w * x)
        return self.y


class Model:
    def __init__(self) -> None:
        self.first, self.second = [Layer(0.5)], [Layer(0.8)]
        self.every = [*self.first, *self.second]
        self.fixed = tuple(self.every)


def run_first(rows: Any, x: Any) -> None:
    rows[0].forward(x)


def run_all(rows: Any, x: Any) -> None:
    for row in rows:
        row.forward(x)


def in_turn(rows: Any, x: Any) -> None:
    if rows:
        rows[0].forward(x)
        in_turn(rows[1:], x)


def a_sum_gone_through(x: Any, m: Any) -> None:
    for layer in m.first + m.second:
        layer.forward(x)


def a_sum_held(x: Any, m: Any) -> None:
    rows = m.first + m.second
    rows[1].forward(x)


def a_sum_given(x: Any, m: Any) -> None:
    run_all(m.first + m.second, x)


def a_sum_in_a_comprehension(x: Any, m: Any) -> None:
    [layer.forward(x) for layer in m.first + m.second]


def a_sum_counted(x: Any, m: Any) -> None:
    for i, layer in enumerate(m.first + m.second):
        layer.forward(x * i)


def several_sums(x: Any, m: Any) -> None:
    for layer in sum([m.first, m.second], []):  # noqa: RUF017  # as people write it
        layer.y = x * x


def repeated(x: Any, m: Any) -> None:
    rows = m.second * 1
    for layer in rows:
        layer.y = x * x


def repeated_and_taken(x: Any, m: Any) -> None:
    (m.every * 2)[3].forward(x)


def a_slice_given(x: Any, m: Any) -> None:
    run_first(m.every[1:], x)


def slices_of_slices(x: Any, m: Any) -> None:
    in_turn(m.every, x)


def turned_slices(x: Any, m: Any) -> None:
    run_first(m.every[1:] + m.every[:1], x)


def a_slice_of_a_tuple(x: Any, m: Any) -> None:
    run_first(m.fixed[1:], x)


def a_field_of_a_slice(x: Any, m: Any) -> None:
    m.every[::-1][0].y = x * x


def copies(x: Any, m: Any) -> None:
    run_first(list(reversed(m.every)), x)
    run_all(m.every.copy()[1:], x)
    sorted(m.every, key=lambda layer: -layer.w)[0].y *= x


def taken_by_name(x: Any, m: Any) -> None:
    rows = m.first + m.second
    last = rows[1]
    last.forward(x)


def a_sum_copied_and_cut(x: Any, m: Any) -> None:
    list(m.first + m.second)[1].forward(x)
    (m.second + m.first)[:1][0].y *= x


def sums_held_by_others(x: Any, m: Any) -> None:
    held = {"all": m.first + m.second, "rows": [m.second + m.first]}
    held["all"][1].forward(x)
    held["rows"][0][0].y *= x


def a_sum_appended(x: Any, m: Any) -> None:
    rows: list = []
    rows.append(m.first + m.second)
    rows[0][1].forward(x)


def a_sum_unpacked(x: Any, m: Any) -> None:
    layer, *_ = m.second + m.first
    layer.forward(x)


def a_sum_taken_from(x: Any, m: Any) -> None:
    rows = m.first + m.second
    next(iter(rows)).forward(x)
    while rows:
        rows.pop().forward(x)


def a_sum_from_a_start(x: Any, m: Any) -> None:
    for layer in sum([m.first, m.second], start=[]):  # noqa: RUF017  # as people write it
        layer.forward(x)


def a_view_held(x: Any, m: Any) -> None:
    named = OrderedDict(first=m.every[0], second=m.every[1])
    view = named.values()
    [layer.forward(x) for layer in view]


def grow(rows: Any, x: Any) -> None:
    for row in rows:
        row.y = row.y * x + x


def repeated_by_a_number(x: Any, m: Any) -> None:
    rows = m.every * len(m.fixed)
    for row in rows:
        grow([row], x)


def sums_gone_through_by_turns(x: Any, m: Any) -> None:
    for row in m.every * 2:
        grow([row], x)
    for _, row in enumerate(m.every + m.second):
        grow((row,), x)
    for row in sum([m.every + m.first, m.every], []):  # noqa: RUF017  # as people write it
        grow([row], x)
    for row in reversed(m.fixed + m.fixed):
        row.y = row.y * row.forward(x)


def a_sum_copied_and_taken_from(x: Any, m: Any) -> None:
    (m.first + m.second).copy().pop().y = x * 2.0
    (m.first or m.second + m.first)[0].y = x * 3.0
    (lambda: m.second + m.first)()[1].forward(x)


def what_was_read_before_a_sum(x: Any, m: Any) -> None:
    m.second[0].forward(x)
    y = m.second[0].y
    rows: list[Any] = sum([m.first, m.second], [])  # noqa: RUF017  # as people write it
    rows[1].y[0] = x[1] * 5.0
    m.first[0].y = y * y
    m.second[0].y = m.second[0].y + m.first[0].y


def a_list_with_itself(x: Any, m: Any) -> None:
    m.every.extend(m.every)
    m.every[1:] = m.every
    grow(m.every, x)


def a_function_that_captured_what_it_is_given(x: Any, m: Any) -> None:
    def double(layer: Any) -> None:
        layer.y = m.second[0].w * x * 2.0

    double(m.every[1])


def sums_by_functions(x: Any, m: Any) -> None:
    operator.concat(m.first, m.second)[0].forward(x)
    row = operator.mul(m.every, 2)[3]
    row.y = row.y * x + x


def an_item_that_was_put_in_before(x: Any, m: Any) -> None:
    w, m.kept = x * 1.0, []
    m.kept.append(w)
    rows = m.kept + m.kept
    by_sum: list[Any] = sum([m.kept, rows], [])  # noqa: RUF017  # as people write it
    by_function = operator.add(rows, m.kept)
    largest = heapq.nlargest(1, m.kept, key=np.size)
    w[0] = x[1] * 5.0
    m.second[0].y = rows[1] * x + by_sum[2] * w + by_function[0]
    m.every[1].y = m.every[1].y + largest[0] * x


PROGRAMS = [a_sum_gone_through, a_sum_held, a_sum_given, a_sum_in_a_comprehension, a_sum_counted]
PROGRAMS += [several_sums, repeated, repeated_and_taken, a_slice_given, slices_of_slices, turned_slices]
PROGRAMS += [a_slice_of_a_tuple, a_field_of_a_slice, copies]
PROGRAMS += [taken_by_name, a_sum_copied_and_cut, sums_held_by_others, a_sum_appended]
PROGRAMS += [a_sum_unpacked, a_sum_taken_from, a_sum_from_a_start, a_view_held, repeated_by_a_number]
PROGRAMS += [sums_gone_through_by_turns, a_sum_copied_and_taken_from, what_was_read_before_a_sum]
PROGRAMS += [a_list_with_itself, a_function_that_captured_what_it_is_given, sums_by_functions]
PROGRAMS += [an_item_that_was_put_in_before]


@pytest.mark.parametrize("change", PROGRAMS)
def test_they_agree_with_differences(change: Any) -> None:
    def f(x: Any, m: Any) -> Any:
        change(x, m)
        return np.sum(m.second[0].y * x) + np.sum(m.every[1].y ** 2)

    numeric = np.array([(f(X + e, Model()) - f(X - e, Model())) / 2e-6 for e in 1e-6 * np.eye(3)])
    for _ in range(4):
        np.testing.assert_allclose(cr.grad(f)(X, Model()), numeric, rtol=1e-6, atol=1e-9)
    _, moved = cr.jvp(f, (X, Model()), (X, cr.tangents.ZERO))
    assert moved == pytest.approx(numeric @ X, rel=1e-6)
    gradient = cr.grad(lambda x: f(x, Model()))
    curvature = [(gradient(X + e) - gradient(X - e)) / 2e-5 for e in 1e-5 * np.eye(3)]
    np.testing.assert_allclose(cr.hessian(lambda x: f(x, Model()))(X), curvature, rtol=1e-5, atol=1e-8)
