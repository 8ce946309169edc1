"""A called function cannot change in place what a pullback has kept; arrays are given back as they were."""

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr

MODES = {"reverse": cr.grad, "forward": cr.derivative}


def normalise_in_place(w):
    w /= w.sum()


def write_and_use(x, w):
    w[0] = 100.0
    return x * w[1]


def only_reads(w):
    return float(w.sum()) + w.size


def inactive_call(x):
    w = np.ones(3)
    y = np.sum(w * x)
    normalise_in_place(w)
    return y


def active_call(x):
    w = np.ones(3)
    y = np.sum(w * x)
    return y + write_and_use(x, w)


def captured_array():
    w = np.ones(3)

    def f(x):
        y = np.sum(w * x)
        normalise_in_place(w)
        return y

    return f, w


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("f", "expected"), [(inactive_call, 3.0), (active_call, 4.0)])
def test_what_a_called_function_changes_was_kept_as_it_was(f, expected, mode):
    assert MODES[mode](f)(2.0) == expected


@pytest.mark.parametrize("mode", MODES)
def test_a_captured_array_is_changed_as_the_function_changes_it(mode):
    f, w = captured_array()
    assert MODES[mode](f)(2.0) == 3.0
    np.testing.assert_allclose(w, np.ones(3) / 3)
    assert w.flags.writeable


def unseen(x):
    w = np.ones(3)
    y = np.sum(w * x)
    change = made_elsewhere()
    change(w)
    return y


def made_elsewhere():
    return normalise_in_place


@pytest.mark.parametrize("mode", MODES)
def test_a_change_that_could_not_be_foreseen(mode):
    MODES[mode](unseen)(2.0)


@pytest.mark.parametrize("mode", MODES)
def test_reading_is_free(mode):
    data = np.arange(3.0)

    def f(x):
        y = np.sum(data * x)
        n = only_reads(data)
        return y * n

    assert MODES[mode](f)(2.0) == 3.0 * 6.0
    assert data.flags.writeable
    assert cr.grad(cr.grad(lambda x: f(x) * x))(2.0) == 36.0


def test_writing_before_the_array_is_used_is_free():
    def f(x):
        w = np.ones(4)
        normalise_in_place(w)
        return np.sum(w * x)

    assert cr.grad(f)(3.0) == 1.0


def test_an_error_of_the_user_gives_arrays_back():
    data = np.ones(2)

    def fails(w):
        raise ValueError("mine")

    def f(x):
        y = np.sum(data * x)
        fails(data)
        return y

    with pytest.raises(ValueError, match="mine"):
        cr.grad(f)(1.0)
    assert data.flags.writeable


def test_a_view_and_what_it_looks_at_are_both_given_back():
    data = np.arange(6.0)
    row = data[:3]

    def f(x):
        y = np.sum(row * x) + np.sum(data * x)
        return y * (only_reads(data) + only_reads(row) + max(only_reads(data), only_reads(row)))

    assert cr.grad(f)(1.0) == 18.0 * (21.0 + 6.0 + 21.0)
    assert data.flags.writeable
    assert row.flags.writeable


class Switch:
    """Its truth depends on an array, which it changes when asked."""

    def __init__(self, a):
        self.a = a

    def __bool__(self):
        self.a[0] *= 2.0
        return True


def switch(a):
    return Switch(a)


def found(a):
    return [switch(a)][0]  # by a name that only running it tells


def in_an_if(x):
    a = x * x
    if found(a):
        a = a * a
    return np.sum(a)


def in_a_while(x):
    a = x * x
    while found(a):
        break
    return np.sum(a * a)


def in_an_assertion(x):
    a = np.sin(x)
    assert found(a)
    return np.sum(a * a)


def in_a_choice(x):
    a = np.sin(x)
    z = 1.0 if Switch(a) else 2.0
    return z * np.sum(a * a)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("f", [in_an_if, in_a_while, in_an_assertion, in_a_choice])
def test_a_test_that_changes_what_varies(f, mode):
    {"reverse": cr.grad, "forward": lambda f: lambda x: rightly.jvp(f, (x,), (x,))}[mode](f)(np.ones(2))


def asked(w, sizes):
    sizes.append(w.size)
    return np.max(w) < 50.0


def a_search_that_looks(x):
    sizes: list[int] = []
    a = x * x
    while asked(a, sizes):
        a[0] = a[0] * a[0]
    if asked(a, sizes) or a.size > len(sizes):
        return np.sum(a)
    return np.sum(a) + a[1] * len(sizes)


@pytest.mark.parametrize("mode", MODES)
def test_what_varies_can_be_changed_after_a_test_that_looks_at_it(mode):
    x = np.array([1.5, 2.0])
    expected = [(a_search_that_looks(x + h) - a_search_that_looks(x - h)) / 2e-6 for h in 1e-6 * np.eye(2)]
    if mode == "reverse":
        found = cr.grad(a_search_that_looks)(x)
    else:
        found = [cr.jvp(a_search_that_looks, (x,), (h,))[1] for h in np.eye(2)]
    np.testing.assert_allclose(found, expected, 1e-6)


def ambiguous(x):
    a = x * x
    if found_twice(a):
        a = a * a
    return np.sum(a)


def found_twice(a):
    return a > 1.0


def test_a_test_that_raises_does_so_at_its_line_and_gives_arrays_back():
    x = np.ones(2)
    with pytest.raises(ValueError, match="ambiguous") as caught:
        cr.grad(ambiguous)(x)
    assert caught.traceback[-1].name == "ambiguous"
    assert x.flags.writeable
