"""Random numbers as functions of their location and scale: what is drawn is held, and moved and stretched.

normal, laplace, logistic, gumbel, uniform, exponential, rayleigh, lognormal are such functions of all their
parameters; gamma of its scale. What other distributions draw is no smooth function of the
parameters (counts), or not yet one here; they have no rule and are refused. The numbers drawn are
those that the generator would have drawn without the derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import Array, frule, non_differentiable, rrule, unbroadcast
from ...tangents import NO_TANGENT

GENERATORS = (np.random.Generator, np.random.RandomState)
Rng = np.random.Generator | np.random.RandomState


def drawn(rng: Any, name: str, size: Any, *parameters: Any) -> Any:
    """Numbers of the standard distribution, or with parameters that are held."""
    return getattr(rng, name)(*parameters, size=size)


def hold(f: Any, rng: Any, size: Any, *parameters: Any) -> None:
    """Let NumPy refuse parameters and sizes as it does, without drawing a number."""
    if size is None:
        size = np.broadcast_shapes(*map(np.shape, parameters))
    shape = (size,) if np.ndim(size) == 0 else size
    f(rng, *parameters, size=(0, *shape))


def size_of(size: Any, *parameters: Any) -> Any:
    """The shape of what is drawn; None for one number."""
    return np.broadcast_shapes(*map(np.shape, parameters)) or None if size is None else size


non_differentiable(drawn, why="random numbers that depend on no parameter")
non_differentiable(hold, size_of, why="checks arguments")


def _of_two(f: Any, source: str, value: Any, partials: Any, signature: str) -> None:
    """The rules of y = value(z, a, b), with z drawn from a standard distribution and held."""

    @frule(f, signature=signature)
    def drawn_frule(tangents, self: Rng, a: Array = 0.0, b: Array = 1.0, *, size=None):
        """ẏ = ∂y/∂a ȧ + ∂y/∂b ḃ"""
        hold(f, self, size, a, b)
        z = drawn(self, source, size_of(size, a, b), 0.0, 1.0)
        y = value(z, a, b)
        by_a, by_b = partials(y, z)
        return y, np.broadcast_to(by_a * tangents[1] + by_b * tangents[2], np.shape(y))

    @rrule(f, signature=signature)
    def drawn_rrule(self: Rng, a: Array = 0.0, b: Array = 1.0, *, size=None):
        """ā = ȳ ∂y/∂a        b̄ = ȳ ∂y/∂b"""
        hold(f, self, size, a, b)
        z = drawn(self, source, size_of(size, a, b), 0.0, 1.0)
        y = value(z, a, b)
        a_shape, b_shape = np.shape(a), np.shape(b)

        def drawn_pullback(y_bar):
            by_a, by_b = partials(y, z)
            return NO_TANGENT, unbroadcast(y_bar * by_a, a_shape), unbroadcast(y_bar * by_b, b_shape)

        return y, drawn_pullback


def _of_scale(f: Any, name: str) -> None:
    """The rules of y = scale z."""

    @frule(f, signature="self, scale=1.0, size=None")
    def drawn_frule(tangents, self: Rng, scale: Array = 1.0, *, size=None):
        """ẏ = z ṡ"""
        hold(f, self, size, scale)
        z = drawn(self, name, size_of(size, scale), 1.0)
        return scale * z, z * tangents[1]

    @rrule(f, signature="self, scale=1.0, size=None")
    def drawn_rrule(self: Rng, scale: Array = 1.0, *, size=None):
        """s̄ = z ȳ"""
        hold(f, self, size, scale)
        z, shape = drawn(self, name, size_of(size, scale), 1.0), np.shape(scale)

        def drawn_pullback(y_bar):
            return NO_TANGENT, unbroadcast(y_bar * z, shape)

        return scale * z, drawn_pullback


def _gamma(f: Any) -> None:
    """The rules of gamma, whose shape is held."""

    @frule(f, signature="self, shape, scale=1.0, size=None")
    def gamma_frule(tangents, self: Rng, scale: Array = 1.0, *, shape, size=None):
        """ẏ = z ṡ"""
        hold(f, self, size, shape, scale)
        z = drawn(self, "gamma", size_of(size, shape, scale), shape, 1.0)
        return scale * z, z * tangents[1]

    @rrule(f, signature="self, shape, scale=1.0, size=None")
    def gamma_rrule(self: Rng, scale: Array = 1.0, *, shape, size=None):
        """s̄ = z ȳ"""
        hold(f, self, size, shape, scale)
        z, scale_shape = drawn(self, "gamma", size_of(size, shape, scale), shape, 1.0), np.shape(scale)

        def gamma_pullback(y_bar):
            return NO_TANGENT, unbroadcast(y_bar * z, scale_shape)

        return scale * z, gamma_pullback


for _P in GENERATORS:
    for _name in ("normal", "laplace", "logistic", "gumbel"):
        _of_two(
            getattr(_P, _name),
            _name,
            lambda z, loc, scale: loc + scale * z,
            lambda y, z: (1.0, z),
            "self, loc=0.0, scale=1.0, size=None",
        )
    _of_two(
        _P.uniform,
        "uniform",
        lambda z, low, high: low + (high - low) * z,
        lambda y, z: (1.0 - z, z),
        "self, low=0.0, high=1.0, size=None",
    )
    _of_two(
        _P.lognormal,
        "normal",
        lambda z, mean, sigma: np.exp(mean + sigma * z),
        lambda y, z: (y, y * z),
        "self, mean=0.0, sigma=1.0, size=None",
    )
    _of_scale(_P.exponential, "exponential")
    _of_scale(_P.rayleigh, "rayleigh")
    _gamma(_P.gamma)
