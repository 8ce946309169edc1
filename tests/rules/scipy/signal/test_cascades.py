"""Recursive filters in sections: by coefficients, signal and states, with final states; both orders."""

from typing import Any

import numpy as np
import pytest
from scipy import signal
from tests.rules.cases import case, complex_normal, held, normal

import chainrules as cr
from chainrules.rules.scipy.signal.in_sections import cascade
from chainrules.testing import check_grads, check_rule

SOS = signal.butter(4, 0.3, output="sos")
X = normal(2, 6)
CASES = [
    case(signal.sosfilt, held(SOS), X),
    case(signal.sosfilt, held(SOS), X, axis=0),
    case(signal.sosfilt, held(SOS), X[0]),
    case(signal.sosfilt, held(SOS), X, zi=normal(2, 2, 2)),
    case(signal.sosfilt, held(SOS), X, zi=normal(2, 2, 6, seed=2), axis=0),
    case(signal.sosfilt, held(SOS.astype(complex)), complex_normal(5)),
    case(cascade, SOS[:, :3], SOS[:, 4:], X, normal(2, 2, 2)),
    case(cascade, SOS[:1, :3], SOS[:1, 4:], X[0, :1], normal(1, 2), why="shorter than the state"),
]


@pytest.mark.parametrize(("f", "args", "kwargs"), CASES)
def test_rule(f, args, kwargs):
    check_rule(f, *args, **kwargs)


def sections(b: Any, a: Any) -> Any:
    """Sections of second order, whose a₀ has to be one."""
    one = np.ones((np.shape(b)[0], 1))
    return np.concatenate([b, one, a], axis=1)


@pytest.mark.parametrize("f", [signal.sosfilt, signal.sosfiltfilt])
def test_sections_by_their_coefficients(f):
    x = normal(16)
    check_grads(lambda b, a: f(sections(b, a), x), SOS[:, :3], SOS[:, 4:], order=1)


def test_second_order():
    check_grads(lambda b, x: signal.sosfilt(sections(b, SOS[:, 4:]), x) ** 2, SOS[:, :3], normal(5))


def test_sections_are_those_of_one_filter():
    x = normal(20)
    b, a = signal.butter(4, 0.3)
    got = cr.grad(lambda x: np.sum(signal.sosfilt(SOS, x) ** 3))(x)
    np.testing.assert_allclose(got, cr.grad(lambda x: np.sum(signal.lfilter(b, a, x) ** 3))(x), rtol=1e-9)


def test_states_by_the_initial_state():
    check_grads(lambda x, z: signal.sosfilt(SOS, x, zi=z), X, normal(2, 2, 2), order=1)


LENGTHS = [25_600, 25_611]
"""Of whole blocks, and with some samples before them."""


def by_each_section(b, a, x, z):
    """The same filter, whose sections are differentiated one after another."""
    y, ends = x, []
    for i in range(np.shape(b)[0]):
        y, end = signal.lfilter(b[i], np.concatenate([np.ones(1), a[i]]), y, -1, z[i])
        ends.append(end)
    return np.sum(np.sin(y)) + np.sum(np.stack(ends) ** 3)


def in_blocks(b, a, x, z):
    y, ends = signal.sosfilt(sections(b, a), x, zi=z)
    return np.sum(np.sin(y)) + np.sum(ends**3)


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("lines", [(), (2, 3)])
def test_long_signals(n, lines):
    args = SOS[:, :3], SOS[:, 4:], normal(*lines, n), normal(2, *lines, 2)
    got = cr.grad(in_blocks, argnums=(0, 1, 2, 3))(*args)
    expected = cr.grad(by_each_section, argnums=(0, 1, 2, 3))(*args)
    for one, other in zip(got, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("n", LENGTHS)
def test_long_signals_against_differences(n):
    x = normal(n)
    check_grads(
        lambda b, a, z: signal.sosfilt(sections(b, a), x, zi=z)[0][::997],
        SOS[:, :3],
        SOS[:, 4:],
        normal(2, 2),
    )


@pytest.mark.parametrize("n", LENGTHS)
def test_long_complex_signals(n):
    b, a = SOS[:, :3] * (1 + 0.2j), SOS[:, 4:] * (1 + 0.01j)
    check_grads(lambda b, a: signal.sosfilt(sections(b, a), complex_normal(n))[::997], b, a, order=1)


@pytest.mark.parametrize(
    ("order", "cutoff", "kind"), [(8, 1e-3, "low"), (8, 0.999, "high"), (4, [0.3, 0.301], "band")]
)
def test_poles_that_are_close_to_one_another(order, cutoff, kind):
    sos = signal.butter(order, cutoff, kind, output="sos")
    x = normal(32_000)
    args = sos[:, :3], sos[:, 4:], x, np.zeros((len(sos), 2))
    got = cr.grad(in_blocks, argnums=(0, 1))(*args)
    expected = cr.grad(by_each_section, argnums=(0, 1))(*args)
    for one, other in zip(got, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-9 * np.max(np.abs(other)))


def test_long_signals_from_complex_states():
    x, z = normal(25_600), normal(2, 2) * (1 + 0.5j)

    def f(b, a, z):
        y, ends = signal.sosfilt(sections(b, a), x, zi=z)
        return np.concatenate([y[:3], ends[0]])

    check_grads(f, SOS[:, :3] + 0j, SOS[:, 4:] + 0j, z, order=1)
    check_grads(lambda b, z: f(b, SOS[:, 4:], z), SOS[:, :3], z, order=1)


def test_long_signals_in_double_precision_with_sections_in_single():
    b, a, x = SOS[:, :3].astype(np.float32), SOS[:, 4:].astype(np.float32), normal(30_000)
    z = np.zeros((2, 2))
    exact = b.astype(float), a.astype(float)
    for wanted in (2, (0, 1, 2)):
        got = cr.grad(in_blocks, argnums=wanted)(b, a, x, z)
        expected = cr.grad(by_each_section, argnums=2)(*exact, x, z)
        np.testing.assert_allclose(got[2] if wanted != 2 else got, expected, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(
        cr.grad(in_blocks)(b, a, x, z), cr.grad(by_each_section)(*exact, x, z), rtol=1e-5
    )
