"""JAX's functions inside our programs: what `from_jax` gives.

Pullbacks are `jax.vjp`, whose cotangents are turned into ours, pushforwards `jax.jvp`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..adapters.foreign import Arrays, Flat, Foreign, arrays_of, moves
from ..adapters.structure import Spec, build
from .host import refuse_within_compiled


class JaxFlat(Flat):
    """A function of JAX's arrays."""

    def on_host(self, arrays: Arrays) -> Arrays:
        """The value at NumPy's arrays."""
        refuse_within_compiled(self.name)
        with jax.ensure_compile_time_eval():  # numbers, also where JAX traces a program around this call
            return tuple([_to_numpy(y) for y in self.f(*map(jnp.asarray, arrays))])

    def moving(self, *x: Any) -> Arrays:
        """What of the value has tangents."""
        return tuple([y for y in self.f(*x) if moves(y)])

    def pull(self, count: int) -> Flat:
        """The pullback, by JAX."""

        def pulled(*given: Any) -> Arrays:
            y, back = jax.vjp(self.moving, *given[-count:])
            seeds = [jnp.conj(t).astype(part.dtype) for t, part in zip(given[:-count], y, strict=True)]
            return tuple([jnp.conj(t) for t in back(tuple(seeds))])

        return JaxFlat(f"the pullback of {self.name}", pulled)

    def push(self, count: int) -> Flat:
        """The pushforward, by JAX."""

        def pushed(*given: Any) -> Arrays:
            x = given[count:]
            dx = tuple([t.astype(a.dtype) for t, a in zip(given[:count], x, strict=True)])
            dy: Arrays = jax.jvp(self.moving, x, dx)[1]
            return dy

        return JaxFlat(f"the pushforward of {self.name}", pushed)


def _to_numpy(y: Any) -> Any:
    return np.array(y)[()]  # a copy that may be written to; a number where there are no axes


class FromJax(Foreign):
    """A function of JAX with NumPy's arrays."""

    library = "JAX"

    def flat(self, spec: Spec, kwargs: dict[str, Any]) -> Flat:
        """The call as a function of the arrays that move."""

        def in_jax(*arrays: Any) -> Arrays:
            y = self.f(*build(spec, arrays), **kwargs)
            flat.spec, leaves = arrays_of(self.f, y, _is_array)
            return tuple(map(jnp.asarray, leaves))

        flat = JaxFlat(self.__name__, in_jax)
        return flat


def _is_array(x: Any) -> bool:
    return isinstance(x, jax.Array | np.ndarray | np.generic | bool | int | float | complex)


def from_jax(f: Callable[..., Any]) -> Callable[..., Any]:
    """f with NumPy's arrays; see `chainrules.from_jax`."""
    return FromJax(f)
