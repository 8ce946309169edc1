"""Rules of the catalogue that every adapter is held to: plain data, a function and a call of it in each row.

What is differentiated is every array or number of real or complex numbers in `args`, those in lists
included; integers, truth values, strings and functions are constants. Every engine tries each row in each
of `MODES` that it has; what it has not, and why, stands in `NOT_THERE`. What single rows meet with beyond
that stands in the tests of the engine, which hold its refusal to the reason.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

MODES = ("reverse", "forward", "second", "compile", "vmap")

NOT_THERE = {
    ("autograd", "compile"): "HIPS autograd has no compiler",
    ("autograd", "vmap"): "HIPS autograd has no map over a batch",
    ("source", "compile"): "the derivative is a program of Python already",
    ("source", "vmap"): "our engines have no map over a batch",
    ("tape", "compile"): "a tape runs as the function does",
    ("tape", "vmap"): "our engines have no map over a batch",
}
"""What an engine as a whole does not have, by engine and mode."""


def modes_of(engine: str) -> list[str]:
    """The modes that an engine has."""
    return [mode for mode in MODES if (engine, mode) not in NOT_THERE]


@dataclass(frozen=True)
class Row:
    """One call of one function of the catalogue."""

    name: str
    f: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any] = field(default_factory=dict)


def row(name: str, f: Callable[..., Any], *args: Any, **kwargs: Any) -> Row:
    """A row, written as the call."""
    return Row(name, f, args, kwargs)


def energy(v: Any) -> Any:
    """A function of a row of numbers, given to functions of functions."""
    return np.sum(v * v) + v[0] * v[1]


def damped(a: Any, b: Any) -> Any:
    """A function of two arrays, given to `functools.reduce`."""
    return np.tanh(a) * b


_numbers = np.random.default_rng(7)
V = _numbers.normal(size=4)
W = _numbers.normal(size=4) + 3.0
P = _numbers.uniform(0.3, 2.0, size=(2, 3))
A = _numbers.normal(size=(3, 3)) + 3 * np.eye(3)
B = _numbers.normal(size=(3, 2))
T = _numbers.normal(size=(2, 3))
Z = _numbers.normal(size=3) + 1j * _numbers.normal(size=3)
C = _numbers.normal(size=(3, 3)) + 1j * _numbers.normal(size=(3, 3)) + 2 * np.eye(3)
S = A @ A.T  # symmetric, positive definite
I = np.array([2, 0, 2])  # noqa: E741  indices

ROWS = (
    # elementwise
    row("sin", np.sin, T),
    row("exp", np.exp, T),
    row("log", np.log, P),
    row("tanh", np.tanh, T),
    row("sqrt", np.sqrt, P),
    row("sinc", np.sinc, T),
    row("absolute", np.absolute, T),
    row("arctan2", np.arctan2, T, P),
    row("hypot", np.hypot, T, P),
    row("power", np.power, P, T),
    row("power-integer", np.power, P, np.array([2, 3, 0])),
    row("multiply-broadcast", np.multiply, T, W[:3]),
    row("divide-number", np.divide, T, 2.5),
    row("maximum", np.maximum, T, P),
    row("logaddexp", np.logaddexp, T, P),
    row("where-mask", np.where, T > 0, T, P),
    row("clip", np.clip, T, -0.5, 0.5),
    row("ldexp-integer", np.ldexp, T, np.array([1, 0, 2])),
    # reductions and running sums
    row("sum-axis", np.sum, T, axis=0),
    row("mean-keepdims", np.mean, T, axis=-1, keepdims=True),
    row("prod-zero", np.prod, np.array([0.0, 2.0, 3.0])),
    row("var-ddof", np.var, T, axis=1, ddof=1),
    row("max-axis", np.max, T, axis=1),
    row("norm-order", np.linalg.norm, V, ord=3),
    row("cumsum", np.cumsum, T, axis=1),
    row("trapezoid", np.trapezoid, V, dx=0.5),
    # shapes, joining, choosing
    row("reshape", np.reshape, T, (3, 2)),
    row("transpose", np.transpose, T),
    row("concatenate", np.concatenate, [T, P], axis=1),
    row("stack", np.stack, [V, W]),
    row("pad", np.pad, V, 2, mode="constant"),
    row("take-integers", np.take, V, I),
    row("sort", np.sort, V),
    row("interp", np.interp, np.array([-0.7, 0.4]), np.array([-2.0, 0.0, 2.0]), np.array([1.0, 3.0, 2.0])),
    # products
    row("matmul", np.matmul, T, B),
    row("einsum", np.einsum, "ij,jk->ki", T, B),
    row("tensordot-axes", np.tensordot, T, B, axes=([1], [0])),
    row("convolve-mode", np.convolve, V, W, mode="same"),
    # linear algebra
    row("solve", np.linalg.solve, A, B),
    row("inv", np.linalg.inv, A),
    row("det", np.linalg.det, A),
    row("slogdet", np.linalg.slogdet, A),
    row("cholesky", np.linalg.cholesky, S),
    row("qr", np.linalg.qr, A),
    row("svd", np.linalg.svd, T, full_matrices=False),
    row("eigh", np.linalg.eigh, S),
    row("pinv", np.linalg.pinv, B),
    row("matrix-power-integer", np.linalg.matrix_power, A, 3),
    # complex
    row("exp-complex", np.exp, Z),
    row("multiply-complex", np.multiply, Z, V[:3]),
    row("absolute-complex", np.absolute, Z),
    row("angle-complex", np.angle, Z),
    row("solve-complex", np.linalg.solve, C, Z),
    row("fft", np.fft.fft, V),
    # functions of functions
    row("apply-along-axis", np.apply_along_axis, energy, 1, T),
    row("reduce", functools.reduce, damped, [V, W, V]),
    row("piecewise", np.piecewise, V, [V > 0, V <= 0], [np.sin, np.exp]),
)
