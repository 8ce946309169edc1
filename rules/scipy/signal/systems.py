"""State space: from and to transfer functions, zeros and poles; from continuous to discrete time.

A characteristic polynomial is smooth where eigenvalues coincide too: with adj(sI − A) = Σ M_k s^(n−k), M₁ = I
and M_{k+1} = A M_k + c_k I, its coefficients move by ċ_k = −tr(M_k Ȧ) [Faddeev & Faddeeva 1963]. Zeros and
poles are roots, refused where they coincide. A system is a tuple of arrays, or an object, see `models`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg, signal
from scipy.signal import lti

from ....core import Array, UnsupportedArgument, frule, non_differentiable, rrule
from ...numpy.adjoints import conj
from ...written import own, written_out
from .arguments import refuse_empty
from .conversions import normalize, tf2zpk


def characteristic(a: Any) -> Any:
    """The coefficients of det(sI − A), the highest power first."""
    return np.poly(a)


def adjugates(a: Any, c: Any) -> Any:
    """M_1, …, M_n with adj(sI − A) = Σ M_k s^(n−k)"""
    one = own(np.eye, np.shape(a)[0])
    found = [one]
    for k in range(1, np.shape(a)[0]):
        found.append(a @ found[-1] + c[k] * one)
    return np.stack(found)


@frule(characteristic)
def characteristic_frule(tangents, a: np.ndarray):
    """ċ_k = −tr(M_k Ȧ)"""
    c = characteristic(a)
    dc = -np.einsum("kij,ji->k", adjugates(a, c), tangents[0])
    return c, np.concatenate([np.zeros(1, dtype=dc.dtype), dc])


@rrule(characteristic)
def characteristic_rrule(a: np.ndarray):
    """Ā = −Σ c̄_k M_kᴴ"""
    c = characteristic(a)

    def characteristic_pullback(c_bar):
        return -np.einsum("k,kji->ij", c_bar[1:], conj(adjugates(a, c))).astype(a.dtype)

    return c, characteristic_pullback


@written_out(signal.tf2ss)
def tf2ss(num: np.ndarray | list, den: np.ndarray | list):
    """The controller's canonical form"""
    b, a = normalize(num, den)
    own(signal.tf2ss, b, a)
    n, b = np.shape(a)[0] - 1, np.atleast_2d(b)
    outputs = np.shape(b)[0]
    b = np.concatenate([np.zeros((outputs, n + 1 - np.shape(b)[1]), dtype=b.dtype), b], axis=1)
    D = b[:, :1]
    if n == 0:
        return np.zeros((1, 1)), np.zeros((1, 1)), np.zeros((outputs, 1)), D
    A = np.concatenate([-a[None, 1:], own(np.eye, n - 1, n)])
    return A, own(np.eye, n, 1), b[:, 1:] - D * a[1:], D


def shapes(A: Any, B: Any, C: Any, D: Any) -> tuple[tuple[int, int], ...]:
    """The shapes of all four matrices, after SciPy has found no fault with them."""
    return tuple(np.shape(each) for each in signal.abcd_normalize(A, B, C, D))


non_differentiable(shapes, why="computes with shapes alone")


@written_out(signal.abcd_normalize)
def abcd_normalize(A: Array | list | None = None, B: object = None, C: object = None, D: object = None):
    """The same matrices with two axes, zeros for those that are not given"""
    found = shapes(A, B, C, D)
    given = (A, B, C, D)
    return tuple([matrix(given[i], found[i]) for i in range(4)])


def matrix(x: Any, shape: tuple[int, int]) -> Any:
    """A matrix of that shape; of zeros where none is given."""
    return np.zeros(shape) if x is None or np.size(x) == 0 else np.reshape(np.asarray(x), shape).copy()


def checked_input(B: Any, input: int) -> None:
    """Refuse an input that the system does not have."""
    if input >= np.shape(B)[1]:
        raise UnsupportedArgument("scipy.signal.ss2tf", "input", input, why=f"there are {np.shape(B)[1]}")


non_differentiable(checked_input, why="checks an argument")


@written_out(signal.ss2tf)
def ss2tf(A: Array | list, B: Array | list, C: Array | list, D: Array | list, *, input=0):
    """det(sI − A), and det(sI − A + b c) + (d − 1) det(sI − A) for each output"""
    a, b, c, d = abcd_normalize(A, B, C, D)
    refuse_empty("ss2tf", A=a)
    checked_input(b, input)
    den = characteristic(a)
    rows = []
    for i in range(np.shape(c)[0]):
        closed = characteristic(a - b[:, input, None] * c[i])
        rows.append(closed + (d[i, input] - 1.0) * den)
    return np.stack(rows), den


@written_out(signal.zpk2ss)
def zpk2ss(z: np.ndarray | list, p: np.ndarray | list, k: Array):
    """The controller's canonical form of the polynomials"""
    return tf2ss(*signal.zpk2tf(z, p, k))


def one_output(num: Any) -> Any:
    """The numerator of a system with one output."""
    if np.shape(num)[0] != 1:
        raise UnsupportedArgument("scipy.signal.ss2zpk", "C", np.shape(num), why="there are several outputs")
    return num[0]


@written_out(signal.ss2zpk)
def ss2zpk(A: Array | list, B: Array | list, C: Array | list, D: Array | list, *, input=0):
    """The roots of the polynomials"""
    num, den = ss2tf(A, B, C, D, input=input)
    return tf2zpk(one_output(num), den)


@written_out(signal.sos2zpk)
def sos2zpk(sos: np.ndarray | list):
    """The roots of the sections' polynomials; zeros where a section has fewer than two"""
    sections = np.asarray(sos)
    gain = 1.0
    zeros, poles = [], []
    for i in range(np.shape(sections)[0]):
        z, p, k = tf2zpk(sections[i, :3], sections[i, 3:])
        zeros.append(np.concatenate([z + 0j, np.zeros(2 - np.shape(z)[0])]))
        poles.append(np.concatenate([p + 0j, np.zeros(2 - np.shape(p)[0])]))
        gain = gain * k
    return np.concatenate(zeros), np.concatenate(poles), gain


def with_matrices(system: Any, name: str) -> Any:
    """The four matrices of a system that is given as two, three or four arrays."""
    if len(system) == 2:
        return tf2ss(*system)
    if len(system) == 3:
        return zpk2ss(*system)
    if len(system) == 4:
        return abcd_normalize(*system)
    raise UnsupportedArgument(name, "system", len(system), supported=["two, three or four arrays"])


def general_bilinear(A: Any, B: Any, C: Any, D: Any, dt: Any, alpha: Any) -> Any:
    """s = (z − 1) / (δ (α z + 1 − α))"""
    one = own(np.eye, np.shape(A)[0])
    m = one - alpha * dt * A
    ad, bd = np.linalg.solve(m, one + (1.0 - alpha) * dt * A), np.linalg.solve(m, dt * B)
    return ad, bd, np.linalg.solve(m.T, C.T).T, D + alpha * (C @ bd)


def held_inputs(A: Any, B: Any, dt: Any) -> tuple[Any, Any]:
    """∫ of the system over one step with its input held: exp of (A, B; 0, 0) δ"""
    n, m = np.shape(B)
    whole = linalg.expm(dt * np.concatenate([np.concatenate([A, B], axis=1), np.zeros((m, n + m))]))
    return whole[:n, :n], whole[:n, n:]


def straight_inputs(A: Any, B: Any, dt: Any) -> tuple[Any, Any, Any]:
    """The same with an input that is a straight line: what its first and its second value bring"""
    n, m = np.shape(B)
    top = np.concatenate([A * dt, B * dt, np.zeros((n, m))], axis=1)
    middle = np.concatenate([np.zeros((m, n + m)), own(np.eye, m)], axis=1)
    whole = linalg.expm(np.concatenate([top, middle, np.zeros((m, n + 2 * m))]))
    second = whole[:n, n + m :]
    return whole[:n, :n], whole[:n, n : n + m] - second, second


def checked_method(method: str, alpha: Any, d: Any) -> Any:
    """What stands for α in the bilinear rule, None for the other methods."""
    named = {"bilinear": 0.5, "tustin": 0.5, "euler": 0.0, "forward_diff": 0.0, "backward_diff": 1.0}
    name = "scipy.signal.cont2discrete"
    if method == "gbt":
        if alpha is None or not 0 <= alpha <= 1:
            raise UnsupportedArgument(name, "alpha", alpha, why="it has to be between 0 and 1")
        return None
    if method not in (*named, "zoh", "foh", "impulse"):
        raise UnsupportedArgument(name, "method", method, supported=["gbt", *named, "zoh", "foh", "impulse"])
    if method == "impulse" and not np.allclose(d, 0):
        raise UnsupportedArgument(name, "method", method, why="the system answers at once: D is not zero")
    return named.get(method)


non_differentiable(checked_method, why="checks arguments")


@written_out(signal.cont2discrete)
def cont2discrete(system: tuple | list | lti, dt: Array, alpha: object = None, *, method="zoh"):
    """The system in steps of δ: by the bilinear rule, by inputs held or straight, by its impulses"""
    if isinstance(system, lti):
        return system.to_discrete(dt, method=method, alpha=alpha)
    A, B, C, D = with_matrices(system, "scipy.signal.cont2discrete")
    fixed = checked_method(method, alpha, D)
    if method == "zoh":
        found = (*held_inputs(A, B, dt), C.copy(), D.copy())
    elif method == "foh":
        Ad, before, after = straight_inputs(A, B, dt)
        found = (Ad, before + Ad @ after, C.copy(), D + C @ after)
    elif method == "impulse":
        Ad = linalg.expm(A * dt)
        found = (Ad, Ad @ B * dt, C.copy(), C @ B * dt)
    else:
        found = general_bilinear(A, B, C, D, dt, alpha if fixed is None else fixed)
    if len(system) == 2:
        return (*ss2tf(*found), dt)
    if len(system) == 3:
        return (*ss2zpk(*found), dt)
    return (*found, dt)
