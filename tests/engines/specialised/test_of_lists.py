"""Long lists of floats that are differentiated: by the text of an array, unless the function changes them."""

import functools
import itertools
import math

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines import operators
from chainrules.engines.specialised.running.of_lists import of_arrays
from chainrules.testing import check_grads

LONG = [0.1 + 0.01 * i for i in range(40)]


def squares(values):
    total = 0.0
    for v in values:
        total += v * v
    return total


def differences(values, scale):
    return sum([math.sin(b - a) for a, b in itertools.pairwise(values)]) * scale


def of_array(values):
    return np.sum(np.array(values) ** 2) * max(values)


def of_two(values, others):
    return sum([v * w for v, w in zip(values, others, strict=True)])


@pytest.mark.parametrize(
    ("f", "x", "argnums"),
    [
        (squares, (LONG,), 0),
        (differences, (LONG, 2.0), 0),
        (differences, (LONG, 2.0), (0, 1)),
        (of_array, (LONG,), 0),
        (of_two, (LONG, LONG[::-1]), (1, 0)),
        (of_two, (LONG, LONG[::-1]), 1),
    ],
)
def test_a_long_list_has_a_text(f, x, argnums, monkeypatch):
    operator = cr.value_and_grad(f, argnums)
    value, expected = operator(*x)
    check_grads(f, *x, order=1)
    for _ in range(4):
        operator(*x)

    def ordinary(*args):
        raise AssertionError("the ordinary program")

    monkeypatch.setattr(operators, "reverse_of", ordinary)
    found, gradients = operator(*x)
    assert found == pytest.approx(value, rel=1e-14)
    assert repr(cr.grad(f, argnums)(*x)) == repr(gradients)
    pairs = [(gradients, expected)] if argnums in (0, 1) else zip(gradients, expected, strict=True)
    for got, want in pairs:
        assert type(got) is type(want)
        np.testing.assert_allclose(np.array(list(got) if isinstance(want, cr.Composite) else got), want)
    plain = cr.grad(f, argnums, form="plain")(*x)
    assert type(plain if argnums in (0, 1) else plain[0]) is list


def appended(values):
    values.append(3.0)
    return sum(values) * values[0]


def first_set(values):
    values[0] = 2.0


def set_in_a_call(values):
    first_set(values)
    return sum(values) * values[1]


class Model:
    """An object whose method changes what it is given."""

    def loss(self, values):
        values.append(values[0])
        return sum(values)


@pytest.mark.parametrize(
    "f", [appended, set_in_a_call, Model().loss, functools.partial(appended), lambda v: v.sort() or sum(v)]
)
def test_what_a_function_does_to_its_list_is_done_to_the_users(f):
    for _ in range(7):
        own, plain = LONG[::-1], LONG[::-1]
        value, gradient = cr.value_and_grad(f)(own)
        assert value == pytest.approx(f(plain))
        assert own == plain
        assert len(gradient) == len(LONG)


def test_a_function_whose_callee_changes_its_list_later():
    def keep(values):
        return values

    def double(values):
        values.append(values[0])
        return values

    change = keep

    def f(values):
        return sum(change(values)) * 2.0

    operator = cr.grad(f)
    for _ in range(5):
        assert set(operator(list(LONG))) == {2.0}

    change = double
    own = list(LONG)
    assert operator(own)[0] == 4.0
    assert len(own) == len(LONG) + 1


def test_which_calls_have_arrays():
    known = of_arrays(squares, 0, (LONG,), {})
    assert known is not None
    assert known.places == (0,)
    mixed = [*LONG, 1]
    for f, argnums, x, kwargs in (
        (squares, 0, (LONG[:32],), {}),
        (squares, 0, (mixed,), {}),
        (squares, -1, (LONG,), {}),
        (squares, 0, (LONG,), {"n": 1}),
        (appended, 0, (LONG,), {}),
        (of_two, 0, (LONG, LONG), {}),
        (of_two, 0, (1.0, LONG), {}),
    ):
        assert of_arrays(f, argnums, x, kwargs) is None


def test_attributes_that_are_copied_do_not_bring_a_text():
    for _ in range(5):
        cr.grad(squares)(LONG)

    @functools.wraps(squares)
    def doubled(values):
        return 2.0 * squares(values)

    for _ in range(5):
        assert list(cr.grad(doubled)(LONG)) == [4.0 * v for v in LONG]


def test_derivatives_of_gradients_of_lists():
    def f(values):
        return sum([v**3 for v in values])

    for _ in range(5):
        cr.grad(f)(LONG)
    second = cr.grad(lambda t: sum(cr.grad(f)([t * v for v in LONG])))(1.0)
    assert second == pytest.approx(sum(6.0 * v * v for v in LONG))
