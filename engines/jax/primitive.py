"""The one JAX primitive: a program on the host, with every rule that a transformation of JAX asks for.

Outside of `jit` the program is called directly; inside, through `jax.pure_callback`. Symbolic zeros become
masks, so that a tangent which is zero is not pushed and a cotangent which nobody wants is not computed.
JAX is imported here; this module is imported when `to_jax` is first called.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from .batches import batch
from .host import within_compiled
from .kept import keeping
from .programs import selected

program_p = Primitive("chainrules")
program_p.multiple_results = True


def bind(arrays: Any, program: Any) -> list[Any]:
    """Call a program on JAX's arrays."""
    return list(program_p.bind(*arrays, program=program))


def _call(*arrays: Any, program: Any) -> list[Any]:
    return [jnp.asarray(y) for y in program.run(*arrays)]


def _abstractly(*arrays: Any, program: Any) -> list[Any]:
    return [jax.core.ShapedArray(space.shape, space.dtype) for space in program.outputs]


def _compiled(*arrays: Any, program: Any) -> Any:
    declared = [jax.ShapeDtypeStruct(space.shape, space.dtype) for space in program.outputs]
    return jax.pure_callback(within_compiled(program.run), declared, *arrays)


def _moves(t: Any) -> bool:
    return type(t) is not ad.Zero and getattr(t, "dtype", None) != jax.dtypes.float0


def _jvp(arrays: Any, tangents: Any, *, program: Any) -> tuple[list[Any], list[Any]]:
    """The program is linear in its lead; what the rest adds is its push."""
    lead, moving = program.lead, tuple(map(_moves, tangents))
    given, terms = selected(tangents, moving), []
    if any(moving[:lead]):
        narrowed = program.narrowed(moving[:lead])
        terms.append(bind([*given[: narrowed.lead], *arrays[lead:]], narrowed))
    if any(moving[lead:]):
        outs = tuple(space.moves for space in program.outputs)
        push = program.derived("push", (False,) * lead + moving[lead:], outs)
        terms.append(bind([*given[sum(moving[:lead]) :], *arrays], push))
    y = bind(arrays, keeping(program, moving))
    moved = iter(terms[0] if len(terms) == 1 else map(jnp.add, *terms))
    return y, [
        next(moved) if space.moves else ad.Zero(jax.typeof(part).to_tangent_aval())
        for part, space in zip(y, program.outputs, strict=True)
    ]


def _transpose(y_bars: Any, *arrays: Any, program: Any) -> list[Any]:
    """Cotangents for what the lead lacks, from those of the outputs that are not zero."""
    lead = program.lead
    wanted, given = tuple(map(ad.is_undefined_primal, arrays[:lead])), tuple(map(_moves, y_bars))
    if not any(given):
        return [ad.Zero(a.aval) if ad.is_undefined_primal(a) else None for a in arrays]
    seeds = selected(y_bars, given)
    found = iter(bind([*seeds, *arrays[lead:]], program.transposed(wanted, given)))
    return [next(found) if w else None for w in wanted] + [None] * (len(arrays) - lead)


def _over_batch(arrays: Any, axes: Any, *, program: Any) -> tuple[list[Any], list[int]]:
    """One call for the whole batch, its axis in front."""
    mapped = tuple(axis is not None for axis in axes)
    size = next(a.shape[axis] for a, axis in zip(arrays, axes, strict=True) if axis is not None)
    fronted = [a if axis is None else jnp.moveaxis(a, axis, 0) for a, axis in zip(arrays, axes, strict=True)]
    y = bind(fronted, batch(program, size, mapped))
    return y, [0] * len(y)


program_p.def_impl(_call)
program_p.def_abstract_eval(_abstractly)
ad.primitive_jvps[program_p] = _jvp
ad.primitive_transposes[program_p] = _transpose
batching.primitive_batchers[program_p] = _over_batch
mlir.register_lowering(program_p, mlir.lower_fun(_compiled, multiple_results=True))
