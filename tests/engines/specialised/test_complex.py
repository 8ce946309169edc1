"""Programs with complex numbers: specialised, and right by differences of real and imaginary parts."""

from typing import Any

import numpy as np
import pytest
from tests.engines.specialised.test_idioms_specialised import VECTOR, differences, hold_specialised

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after

W = np.array([1 + 2j, 0.5 - 1j, 2j, 1.0])
M = np.arange(16).reshape(4, 4) / 20 + 1j * np.cos(np.arange(16)).reshape(4, 4)


def elementary(x):
    z = np.cos(x) + 1j * np.sin(x)
    w = np.log(z) + np.tanh(z) + z**-2 + 2**z + z**0.5 + np.arctan(z * 0.3) + np.sqrt(z + 2)
    return np.sum(w.imag) + w.real[0] - w[1].imag + np.sum(np.angle(z + 3) ** 2)


def products(x):
    z = np.exp(1j * x) @ M
    u = np.outer(x * W, np.conj(z))
    return (z * np.conj(z)).real.sum() + np.trace(u @ M).real + np.abs(x @ W) + np.vdot(z, W).imag


def broadcast(x):
    z = x[0] * W + x[:, None] * 1j
    return np.sum(np.abs(z - z.mean(axis=0))) + np.sum((z * x[1]).imag ** 2)


def stored_one_by_one(x):
    z = np.zeros(4, complex)
    for i in range(4):
        z[i] = x[i] * (1 + 1j * x[i]) + (z[i - 1] if i else 0)
    z[2:4] = x[2:4]
    return np.sum(z.real * z.imag)


def parts_stored_into_reals(x):
    r, z = np.zeros(4), x + 2j
    r[:] = z.real * z.imag
    r[2] = (z[0] * z[1]).imag
    return np.sum(r * r)


def changed_in_place(x):
    z = x * 1j
    z[1:] += x[:-1]
    z *= W
    z -= x
    return np.sum(z * z.conj()).real


def numbers(x):
    z = complex(0) + x[0] + 1j * x[1]
    for _ in range(3):
        z = z * z + (0.1 * x[2] + 0.2j * x[3])
    return abs(z) + z.real * z.imag


def from_a_real_start(x):
    total, z = 0, x[1]
    for k in range(4):
        total = total + np.exp(2j * np.pi * k * x).sum()
        z = z * 1j + x[k]
    return abs(total) ** 2 + z.imag


def in_lists_and_tables(x):
    out = []
    for i in range(4):
        out.append(x[i] * np.exp(1j * i))
    z = np.array(out)
    U = np.array([[np.cos(x[0]), -1j * np.sin(x[0])], [-1j * np.sin(x[1]), np.cos(x[1])]])
    return np.sum((z / (1 + np.abs(z))).imag ** 2) + np.abs((U @ z[:2])[0])


def real_and_complex_in_one_list(x):
    a = (x[0] * (2 + 1j) * x[1]).real
    out, total = [a, x[2] * 1j], 0j
    out.append(x[3])
    out[1] = out[1] * a
    for v in out:
        total = total + v * (1 + 2j) * v
    return abs(total) + total.imag


def scaled(z, a):
    return z * a + np.conj(z)


def functions(x):
    z = scaled(scaled(W, x), 2.0)
    return np.sum(z.real**2 + scaled(x, W).imag * z.imag)


def solved(x):
    A = M * x[:, None]
    v = np.linalg.solve(A + 5 * np.eye(4), W)
    return np.abs(v @ W.conj()) + np.linalg.norm(A) + np.prod(x + 1j).real


def joined(x):
    z = np.concatenate([x * 1j, np.conj(W) * x.sum()])
    z = np.where(np.arange(8) % 2 == 0, z, 2 * z).reshape(2, 4)
    z = np.roll(z, 1, axis=1).T
    return np.sum(np.abs(np.cumsum(z, axis=0)) ** 2) + np.einsum("ij,i->j", z, x).imag[0]


def spectrum(x):
    f = np.fft.fft(x) * np.exp(-1j * x[0])
    g = np.fft.fft2(x.reshape(2, 2))
    return np.sum(np.abs(np.fft.ifft(f * f)) ** 2) + np.sum(np.abs(np.fft.ifft2(g * g)) ** 3)


def half_a_spectrum(x):
    total = 0.0
    for y in (x, np.concatenate([x, x[:1] ** 2])):
        f = np.fft.rfft(y)
        z = np.fft.irfft(f * np.conj(f) / (1 + np.abs(f)), n=len(y))
        total = total + np.sum(z**3) + np.sum(np.fft.irfft(f) ** 2)
    return total


def half_a_spectrum_of_real_numbers(x):
    return np.sum(np.fft.irfft(np.abs(x + 1j) * x) ** 3) * x[0]


def diagonals(x):
    return np.sum(np.abs(np.diag(M * x)) ** 2) + np.diag(x * W)[1, 1].imag


def lists_that_a_function_makes(x):
    first, second = np.split(x * W, 2)
    total = np.abs(first.sum() * 3j) + np.sum(second.imag)
    for v in np.array_split(x * (1 + 2j), 2):
        total = total + (v.sum() * 1j).real
    return total


def low_pass(x):
    f = np.fft.rfft(x)
    f[1:2] = 0
    return np.sum(np.fft.irfft(f, len(x)) ** 3)


def derivative_of_a_wave(x):
    k = 2j * np.pi * np.fft.fftfreq(len(x), d=0.5)
    for _ in range(3):
        x = x - 0.1 * x * np.fft.ifft(k * np.fft.fft(x)).real
    return np.sum(x**2)


PROGRAMS = [
    *(elementary, products, broadcast, stored_one_by_one, parts_stored_into_reals, changed_in_place, numbers),
    *(from_a_real_start, in_lists_and_tables, functions, solved, joined, spectrum, half_a_spectrum, low_pass),
    *(derivative_of_a_wave, real_and_complex_in_one_list, half_a_spectrum_of_real_numbers, diagonals),
    lists_that_a_function_makes,
]


@pytest.mark.parametrize("f", PROGRAMS)
def test_programs(f: Any) -> None:
    hold_specialised(f)


def of_complex(z, x):
    y = z * W
    y[0] = y[1] * z[2]
    return np.sum(np.abs(y + x) ** 2) + np.sum(z**3).real + z.imag[0]


def of_real_parts(z):
    return np.sum(z.real**2)


def test_complex_arguments() -> None:
    z = VECTOR + 0.5j * W
    met: list[str] = []
    with specialised_after(1, compared=True, met=met):
        for _ in range(3):
            z_bar, x_bar = cr.grad(of_complex, argnums=(0, 1))(z, VECTOR)
            alone = cr.grad(of_real_parts)(z)
    assert met == []
    by_real = differences(lambda a: of_complex(a + 1j * z.imag, VECTOR), z.real)
    by_imag = differences(lambda b: of_complex(z.real + 1j * b, VECTOR), z.imag)
    np.testing.assert_allclose(z_bar, by_real + 1j * by_imag, rtol=1e-6)
    np.testing.assert_allclose(x_bar, differences(lambda x: of_complex(z, x), VECTOR), rtol=1e-6)
    np.testing.assert_allclose(alone, 2 * z.real)
    assert alone.dtype == complex


def test_other_directions_are_those_of_the_ordinary_program() -> None:
    with specialised_after(1, compared=True):
        for _ in range(3):
            _, dy = cr.jvp(products, (VECTOR,), (W.real,))
            matrix = cr.hessian(numbers)(VECTOR)
    np.testing.assert_allclose(dy, differences(products, VECTOR) @ W.real, rtol=1e-6)
    columns = [differences(lambda x, i=i: cr.grad(numbers)(x)[i], VECTOR) for i in range(4)]
    np.testing.assert_allclose(matrix, columns, rtol=1e-5)


def cut_spectrum(x):
    return np.sum(np.fft.irfft(np.fft.rfft(x), n=3) ** 3)


def test_a_spectrum_that_is_cut_is_left_to_the_ordinary_program() -> None:
    with specialised_after(1):
        for _ in range(3):
            gradient = cr.grad(cut_spectrum)(VECTOR)
            np.testing.assert_allclose(gradient, differences(cut_spectrum, VECTOR), rtol=1e-6)
