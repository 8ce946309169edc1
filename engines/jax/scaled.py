"""A product in which a zero tangent wins over an infinite partial, in both directions.

JAX knows it as linear in the tangent, and compiles it with what stands around it.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

scaled_p = Primitive("chainrules_scaled")


def scaled(tangent: Any, partial: Any) -> Any:
    """tangent · partial, and zero where the tangent is, however large the partial."""
    shape = jnp.broadcast_shapes(jnp.shape(tangent), jnp.shape(partial))
    dtype = jnp.result_type(tangent, partial)
    t, p = (jnp.broadcast_to(jnp.asarray(a, dtype), shape) for a in (tangent, partial))
    return scaled_p.bind(t, p)


def _product(t: Any, p: Any) -> Any:
    return jnp.where(t == 0, jnp.zeros_like(t), t * p)


def _scaled_jvp(primals: Any, tangents: Any) -> Any:
    (t, p), (dt, dp) = primals, tangents
    terms = [scaled_p.bind(dt, p)] if type(dt) is not ad.Zero else []
    terms += [scaled_p.bind(dp, t)] if type(dp) is not ad.Zero else []
    return scaled_p.bind(t, p), terms[0] if len(terms) == 1 else terms[0] + terms[1]


def _scaled_transpose(t_bar: Any, t: Any, p: Any) -> Any:
    if ad.is_undefined_primal(t):
        return [None if type(t_bar) is ad.Zero else scaled_p.bind(t_bar, p), None]
    return [None, None if type(t_bar) is ad.Zero else scaled_p.bind(t_bar, t)]


def _scaled_batch(arrays: Any, axes: Any) -> Any:
    size = next(a.shape[axis] for a, axis in zip(arrays, axes, strict=True) if axis is not None)
    fronted = [
        jnp.broadcast_to(a, (size, *a.shape)) if axis is None else jnp.moveaxis(a, axis, 0)
        for a, axis in zip(arrays, axes, strict=True)
    ]
    return scaled_p.bind(*fronted), 0


scaled_p.def_impl(jax.jit(_product))
scaled_p.def_abstract_eval(lambda t, p: jax.core.ShapedArray(t.shape, t.dtype))
ad.primitive_jvps[scaled_p] = _scaled_jvp
ad.primitive_transposes[scaled_p] = _scaled_transpose
batching.primitive_batchers[scaled_p] = _scaled_batch
mlir.register_lowering(scaled_p, mlir.lower_fun(_product, multiple_results=False))
