"""The arguments that every ufunc takes by name, for every elementwise rule: dtype, out, where and the rest.

`order`, `casting` and `subok` change no number. `dtype` and `signature` choose the loop; where its
value is complex, partials are taken at complex arguments. With `out=` the function writes into an
array, whose state after the call the rule differentiates; `where=` then says which entries are
written: the others are not looked at and keep their derivative. Refused by name: `where=` without
`out=`, which leaves entries uninitialised, and `casting="unsafe"`. A tuple for `out=` has no rule.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..tangents import ZERO, IndexedTangent, add
from ..tangents.spans import in_seconds
from .broadcasting import unbroadcast
from .errors import UnsupportedArgument
from .registry import Mode, register
from .seeds import absorbs, ready
from .types import Array


def takes_keywords(
    f: np.ufunc,
    forward: Any,
    reverse: Any,
    written: Callable[[Any], None] = lambda rule: None,
    complete: bool = False,
    lazy_seed: bool = False,
) -> None:
    """Register the rules of f, taking keywords, and those with an array to write into.

    `written` is called with each, to say where it stands; `complete` is of the rules given, and
    `lazy_seed` of the reverse one.
    """
    types, name = (Array,) * f.nin, f.__name__.partition(" ")[0]
    plain = _forward(f, forward), _reverse(f, reverse)
    into = _forward_into(f, plain[0]), _reverse_into(f, plain[1])
    if hasattr(reverse, "for_call"):
        plain[1].for_call = reverse.for_call
    if hasattr(forward, "scalar"):
        plain[0].scalar = plain[1].scalar = forward.scalar
    modes: tuple[Mode, Mode] = ("forward", "reverse")
    for mode, rule, writing in zip(modes, plain, into, strict=True):
        rule.__name__ = rule.__qualname__ = f"{name}_{mode[0]}rule"
        writing.__name__ = writing.__qualname__ = f"{name}_into_{mode[0]}rule"
        written(rule)
        written(writing)
        lazy = lazy_seed and mode == "reverse"
        register(f, rule, mode, types=types, complete=complete, lazy_seed=lazy)
        register(f, writing, mode, types=(*types, np.ndarray), mutates=(f.nin,))


def _forward(f: np.ufunc, plain: Any) -> Any:
    def ufunc_frule(
        tangents: Any,
        *x: Any,
        where: Any = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: Any = None,
        subok: bool = True,
        signature: Any = None,
    ) -> Any:
        if where is True and dtype is None and signature is None:
            return plain(tangents, *x)
        hold(f, where, casting)
        y = in_loop(f, x, casting, dtype, signature)
        _, dy = plain(tangents, *as_complex_as(y, x))
        return y, dy

    return ufunc_frule


def _reverse(f: np.ufunc, plain: Any) -> Any:
    def ufunc_rrule(
        *x: Any,
        where: Any = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: Any = None,
        subok: bool = True,
        signature: Any = None,
    ) -> Any:
        if where is True and dtype is None and signature is None:
            return plain(*x)
        hold(f, where, casting)
        y = in_loop(f, x, casting, dtype, signature)
        _, back = plain(*as_complex_as(y, x))
        return y, back

    return ufunc_rrule


def hold(f: np.ufunc, where: Any, casting: str) -> None:
    """Refuse what leaves numbers unknown or loses some."""
    if where is not True:
        why = "what it leaves out is not initialised"
        raise UnsupportedArgument(f, "where", where, why=why, next="give out= too, or use numpy.where")
    if casting == "unsafe":
        why = "it may round, or lose an imaginary part"
        raise UnsupportedArgument(f, "casting", casting, why=why, next="cast the arguments with astype")


def in_loop(f: np.ufunc, x: tuple[Any, ...], casting: str, dtype: Any, signature: Any) -> Any:
    """The value by the loop that is asked for; NumPy takes one of the two alone."""
    if signature is None:
        return f(*x, casting=casting, dtype=dtype)
    return f(*x, casting=casting, signature=signature)


def as_complex_as(y: Any, x: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments, complex where the value is and none of them: that was asked for by dtype."""
    for v in x:
        if np.iscomplexobj(v):
            return x
    made: tuple[Any, ...] = ()
    for v in x:
        made = (*made, v + 0j if np.iscomplexobj(y) else v)
    return made


def _forward_into(f: np.ufunc, plain: Any) -> Any:
    def into_frule(
        tangents: Any,
        *x: Any,
        where: Any = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: Any = None,
        subok: bool = True,
        signature: Any = None,
    ) -> Any:
        out = x[-1]
        mask = None if where is True else np.broadcast_to(where, out.shape)
        seen = tuple(_seen(v, mask, out) for v in x[:-1])
        moved = tuple(t if absorbs(t) else _seen(ready(t), mask, out) for t in tangents[:-1])
        y, dy = plain(moved, *seen, casting=casting, dtype=dtype, signature=signature)
        _write(out, y, mask, casting)
        dy = np.zeros(np.shape(y)) if absorbs(dy) else in_seconds(dy)
        dout = np.zeros(out.shape, out.dtype if out.dtype.kind in "fc" else float)
        if mask is None:
            dout[...] = dy
            return out, dout, {len(seen): dout}
        dout[...] = 0.0 if absorbs(tangents[-1]) else ready(tangents[-1])
        dout[mask] = dy
        return out, dout, {len(seen): dout}

    return into_frule


def _reverse_into(f: np.ufunc, plain: Any) -> Any:
    def into_rrule(
        *x: Any,
        where: Any = True,
        casting: str = "same_kind",
        order: str = "K",
        dtype: Any = None,
        subok: bool = True,
        signature: Any = None,
    ) -> Any:
        out = x[-1]
        mask = None if where is True else np.broadcast_to(np.array(where), out.shape)
        seen = tuple(_seen(v, mask, out) for v in x[:-1])
        y, back = plain(*seen, casting=casting, dtype=dtype, signature=signature)
        _write(out, y, mask, casting)
        shapes = tuple([np.shape(v) for v in x[:-1]])
        return out, _into_pullback(back, mask, shapes, np.shape(y), out.shape)

    return into_rrule


def _into_pullback(
    back: Any, mask: Any, shapes: tuple[Any, ...], y_shape: tuple[int, ...], out_shape: tuple[int, ...]
) -> Any:
    """The pullback of such a call, from that of what it computes; `shapes` are those of its arguments."""
    count = len(shapes)

    def into_pullback(y_bar: Any, states: Any) -> Any:
        total = add(y_bar, states[count])
        if absorbs(total):
            return (total,) * count + (ZERO,)
        total = ready(total)
        if mask is None:
            return (*back(unbroadcast(total, y_shape)), ZERO)
        parts = back(total[mask])
        whole: tuple[Any, ...] = ()
        for i in range(count):
            whole = (*whole, _scattered(parts[i], mask, out_shape, shapes[i]))
        return (*whole, np.where(mask, 0.0, total))

    return into_pullback


def _seen(v: Any, mask: Any, out: Any) -> Any:
    """What the function reads of an argument, where writing does not reach it."""
    if mask is not None:
        return np.broadcast_to(v, out.shape)[mask]
    return v.copy() if isinstance(v, np.ndarray) and np.may_share_memory(v, out) else v


def _write(out: Any, y: Any, mask: Any, casting: Any) -> None:
    if mask is None:
        np.copyto(out, y, casting=casting)
    elif not np.can_cast(y.dtype, out.dtype, casting):
        raise TypeError(f"cannot cast {y.dtype} to {out.dtype} with casting rule {casting!r}")
    else:
        out[mask] = y


def _scattered(t: Any, mask: Any, shape: tuple[int, ...], x_shape: tuple[int, ...]) -> Any:
    """The cotangent of an argument from that of what was read of it."""
    return t if absorbs(t) else unbroadcast(ready(IndexedTangent(shape, t.dtype, mask, t)), x_shape)
