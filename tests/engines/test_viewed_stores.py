"""Stores through views: what is written by `a.T`, `a.reshape(…)`, `a.flat`, `a.real` is written in a."""

import numpy as np
import pytest
from tests.engines import rightly
from tests.engines.table import Table, check

import chainrules as cr

table = Table()
x = np.array([0.5, -1.2, 2.0])


@table(x)
def transposed(x):
    a = np.outer(x, x)
    a.T[0] = x * x
    a.T[1] += x
    np.swapaxes(a, 0, 1)[2, 1] = x[0]
    return np.sum(a * a)


@table(x)
def reshaped(x):
    a = np.zeros(6)
    a.reshape(2, 3)[1] = x
    a.reshape(3, 2)[0, :] = x[0]
    a.reshape(2, 3)[:, 1] *= x[2]
    return np.sum(a * np.arange(6.0) * a)


@table(x)
def flat(x):
    a = np.zeros((2, 3))
    a.flat[2] = x[0]
    a.T.flat[3:] = x
    a.flat[1] += x[2] * x[1]
    return np.sum(a * a * np.arange(6.0).reshape(2, 3))


@table(x)
def diagonal_of_einsum(x):
    a = np.outer(x, x)
    d = np.einsum("ii->i", a)
    d[:] = x
    return np.sum(a * a)


@table(x)
def parts_of_complex(x):
    z = x + 0j
    z.real = x * x
    z.imag = x[0]
    return np.sum(np.abs(z) ** 2)


@table(x)
def what_may_be_the_array_itself(x):
    a = x * 1.0
    b, c, d = a.conj(), a.astype(float, copy=False), np.array(a, copy=None)
    b[0] = x[1] * x[2]
    c[1] += x[0]
    d[2] *= x[0]
    return np.sum(a * a)


@table(x)
def positional_out(x):
    a = np.empty(3)
    np.multiply(x, x, a)
    np.add(a, x, a)
    return np.sum(a * a)


@table(x)
def stores_of_views_that_numpy_copies(x):
    g = np.outer(x, x)
    g[1] = g[2]
    g[:, 0] = g[1][::-1]
    g[:2] = g[1:]
    g[0, 1:] = g[0, :-1]
    return np.sum(g**3)


@pytest.mark.parametrize(("f", "x"), table.rows)
def test_a_store_through_a_view_agrees_with_differences(f, x):
    check(f, x)


def test_a_store_into_a_part_of_a_complex_array():
    def f(x):
        z = x + 0j
        z.real[1:] = x[1:] ** 2
        return np.sum(np.abs(z) ** 2)

    for differentiate in (rightly.grad(f), lambda v: rightly.jvp(f, (v,), (v,))):
        differentiate(x)


def test_a_store_of_a_view_that_numpy_reads_while_it_writes_is_refused():
    def f(x):
        g = np.outer(x, x)
        g[1] = g[:, 2]
        return np.sum(g**3)

    for differentiate in (cr.grad(f), lambda v: cr.jvp(f, (v,), (v,))):
        with pytest.raises(cr.AliasedMutationError, match="with another stride") as caught:
            differentiate(x)
        assert "g[1] = g[:, 2]" in str(caught.value)


@pytest.mark.parametrize(
    "view",
    [
        lambda a: np.broadcast_to(a[0], (2, 3)),
        lambda a: np.lib.stride_tricks.sliding_window_view(a[0], 2),
    ],
)
def test_second_derivatives_where_entries_of_a_view_are_the_same_memory(view):
    def f(m):
        a = m.copy()
        a[0] *= 2.0
        b = view(a)
        a[0] += m[1]
        return np.sum(b**3) + np.sum(a * a)

    cr.testing.check_grads(f, np.outer([0.7, 1.3], x), order=2)
