"""What stands for NumPy's functions, and for helpers of our rules, where a rule is run in jax.numpy.

A name that is not here has no twin, and a rule that uses it is run on the host. Left out on purpose is what
jax.numpy has under the same name with another meaning, or with sizes that depend on values (sets, `nonzero`),
and whatever writes.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import jax.numpy as jnp
import numpy as np

from ...core.seeds import absorbs, ready
from ...rules import quiet
from ...rules.numpy import axes, exponential
from ...tangents import materialize, unthunk
from ...tangents.spans import in_seconds

NAMES = """
abs absolute add acos acosh all angle any arccos arccosh arcsin arcsinh arctan arctan2 arctanh
argmax argmin argsort asarray asin asinh atan atan2 atanh atleast_1d atleast_2d broadcast_to cbrt
ceil clip concatenate conj conjugate copysign cos cosh cross cumprod cumsum deg2rad degrees diag
diagonal diff divide dot einsum equal exp exp2 expand_dims expm1 eye fabs flip floor fmax fmin fmod
full_like greater greater_equal heaviside hypot imag inner isfinite isinf isnan kron less less_equal
log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or matmul matrix_transpose
max maximum mean min minimum mod moveaxis multiply negative not_equal ones_like outer pad positive
power prod rad2deg radians ravel real reciprocal remainder repeat reshape rint roll rot90 shape sign
signbit sin sinc sinh size sqrt square squeeze stack subtract sum swapaxes tan tanh ones zeros
tensordot tile trace transpose tri tril triu true_divide trunc vdot vecdot where zeros_like ndim
iscomplexobj isrealobj trapezoid linalg.cholesky linalg.det linalg.inv linalg.matrix_power
linalg.norm linalg.pinv linalg.slogdet linalg.solve linalg.trace fft.fft fft.ifft fft.rfft fft.irfft
fft.fft2 fft.ifft2 fft.fftshift fft.ifftshift
""".split()  # noqa: SIM905  a table of words

CONSTANTS = ("pi", "e", "inf", "nan", "newaxis", "euler_gamma")

ATTRIBUTES = {
    *"T astype conj conjugate dtype imag kind ndim ravel real reshape shape size sum".split(),  # noqa: SIM905
    *(part for name in NAMES for part in name.split(".")),
    *CONSTANTS,
    "errstate",
}
"""What a rule that is traced may read of an array or a module: it means the same for both."""


def _at(module: Any, path: str) -> Any:
    for part in path.split("."):
        module = getattr(module, part)
    return module


class Namespace:
    """A module of NumPy, as far as it has twins."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def __getattr__(self, name: str) -> Any:
        path = f"{self.prefix}{name}"
        if path in ("linalg", "fft"):
            return Namespace(f"{path}.")
        if path == "errstate":
            return lambda **_: nullcontext()
        if path in CONSTANTS:
            return getattr(np, path)
        if path in NAMES:
            return _at(jnp, path)
        raise NoTwin(f"numpy.{path} has no twin in jax.numpy that is known to mean the same")


class NoTwin(Exception):
    """Why a rule cannot be run in jax.numpy."""


def _ratio(a: Any, b: Any) -> Any:
    at_zero = b == 0
    return jnp.where(at_zero, 0.0, a / jnp.where(at_zero, 1, b))


def _power_by_base(y: Any, x: Any, p: Any) -> Any:
    return p * jnp.power(x, jnp.where(jnp.equal(p, 0), 1, jnp.subtract(p, 1)))


def _power_by_exponent(y: Any, x: Any, p: Any) -> Any:
    base = x + 0j if jnp.iscomplexobj(y) else jnp.abs(x)
    return y * jnp.log(jnp.where((x == 0) & (jnp.real(p) >= 0), 1, base))


def _inside(y: Any, partial: Any) -> Any:
    return partial * jnp.where(y != y, y, 1)


def _layout_order(f: Any, x: Any, order: str) -> str:
    return order if order in ("C", "F") else "C"  # JAX's arrays lie so


TWINS: dict[Any, Any] = {_at(np, name): _at(jnp, name) for name in NAMES} | {
    absorbs: absorbs,
    materialize: materialize,
    ready: ready,
    unthunk: unthunk,
    quiet.divide: jnp.true_divide,
    quiet.ratio: _ratio,
    quiet.power: jnp.power,
    quiet.log: jnp.log,
    quiet.power_by_base: _power_by_base,
    quiet.power_by_exponent: _power_by_exponent,
    exponential.inside: _inside,
    in_seconds: lambda x: x,
    axes.layout_order: _layout_order,
}
