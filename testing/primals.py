"""Primals and tangents as a check needs them: copied, compared, frozen, in double precision, as vectors.

What has no parts and is no number (a generator, a file, a handle) is compared by `==` where it is a
name or a flag, and otherwise left alone: a check cannot know what its state means.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tangents import (
    Composite,
    from_fields,
    is_sparse,
    map_fields,
    materialize,
    primal_type,
    project_to,
    ravel,
    structure,
    unthunk,
)
from ..tangents.composite import fields_of
from ..tangents.naturals import WITHOUT_TANGENT
from ..tangents.structure import construct, map_parts, parts

Vector = np.ndarray[Any, np.dtype[np.float64]]


def vector(t: Any, like: Any) -> Vector:
    """A tangent of the primal `like` as a vector of its real numbers, zeros written out.

    Raises:  whatever `materialize` raises for what is no tangent of `like`.
    Example: >>> vector(Composite[tuple](1 + 2j, Zero()), (0j, np.ones(2)))
             array([1., 2., 0., 0.])
    """
    return np.asarray(ravel(_on_patterns(materialize(t, like=like), like))[0], dtype=float)


def _on_patterns(t: Any, like: Any) -> Any:
    """A tangent that stores where `like` does, in its parts too: what is not stored has no tangent."""
    if is_sparse(like):
        return project_to(like)(t)
    if not isinstance(t, Composite):
        return t
    given, inside = fields_of(t), fields_of(like) if isinstance(like, Composite) else parts(like)
    if isinstance(given, dict):
        inside = inside if isinstance(inside, dict) else structure.named_parts(like)
        filled: Any = {k: _on_patterns(v, inside[k]) if k in inside else v for k, v in given.items()}
    else:
        filled = [_on_patterns(v, x) for v, x in zip(given, inside, strict=True)]
    return from_fields(primal_type(t), filled)


def is_natural(x: Any) -> bool:
    """Whether x is a number or an array, Python's or NumPy's."""
    return isinstance(x, np.ndarray | np.generic | int | float | complex)


def mismatch(a: Any, b: Any, rtol: float = 0.0) -> str:
    """Where two primals differ, in words; empty where they do not.

    Example: >>> mismatch((1.0, np.ones(2)), (1.0, np.zeros(2)))
             'part 1: [1. 1.] and [0. 0.]'
    """
    if is_natural(a) and is_natural(b):
        return _numbers_differ(a, b, rtol)
    if type(a) is not type(b):
        return f"a {type(a).__qualname__} and a {type(b).__qualname__}"
    if is_sparse(a):
        return _numbers_differ(a.toarray(), b.toarray(), rtol)
    if isinstance(a, WITHOUT_TANGENT):
        return "" if a is b or a == b else f"{a!r} and {b!r}"
    ours, theirs = named_parts(a), named_parts(b)
    if ours.keys() != theirs.keys():
        return f"parts {list(ours)} and {list(theirs)}"
    found = ((name, mismatch(part, theirs[name], rtol)) for name, part in ours.items())
    return next((f"part {name!r}: {what}" for name, what in found if what), "")


def named_parts(x: Any) -> dict[Any, Any]:
    """What x consists of, by position, key or field name; empty for what has no parts."""
    inside = parts(x)
    if inside is None:
        return {}
    return inside if isinstance(inside, dict) else dict(enumerate(inside))


def _numbers_differ(a: Any, b: Any, rtol: float) -> str:
    x, y = np.asarray(a), np.asarray(b)
    if isinstance(a, np.ndarray) is not isinstance(b, np.ndarray):
        return f"a {type(a).__name__} and a {type(b).__name__}"
    if x.shape != y.shape or x.dtype != y.dtype:
        return f"{x.dtype} of shape {x.shape} and {y.dtype} of shape {y.shape}"
    if x.dtype.kind == "O":
        return mismatch(x.ravel().tolist(), y.ravel().tolist(), rtol)
    if rtol and x.dtype.kind in "fc":
        size = np.max(np.abs(y), initial=0.0, where=np.isfinite(y))
        same = bool(np.allclose(x, y, rtol=rtol, atol=rtol * size, equal_nan=True))
    else:
        same = np.array_equal(x, y, equal_nan=x.dtype.kind in "fcmM")
    return "" if same else f"{short(a)} and {short(b)}"


def shares_memory(a: Any, b: Any) -> bool:
    """Whether two values are arrays over the same memory."""
    return isinstance(a, np.ndarray) and isinstance(b, np.ndarray) and np.may_share_memory(a, b)


def short(x: Any, limit: int = 80) -> str:
    """A value on one line, for messages."""
    text = " ".join((str(x) if isinstance(x, np.ndarray) else repr(x)).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def frozen(t: Any) -> Any:
    """A copy of a tangent whose arrays refuse to be written into."""
    t = unthunk(t)
    if isinstance(t, Composite):
        return map_fields(frozen, t)
    if isinstance(t, np.ndarray):
        t = t.copy()
        t.flags.writeable = False
    if is_sparse(t):
        t = t.copy()
        if isinstance(numbers := getattr(t, "data", None), np.ndarray):
            numbers.flags.writeable = False
    return t


_WIDE = {"e": np.float64, "f": np.float64, "F": np.complex128}


def widened(x: Any) -> Any:
    """A primal or tangent with its numbers in double precision; x itself where they are already.

    Example: >>> widened((np.float32(0.5), "a"))
             (np.float64(0.5), 'a')
    """
    if isinstance(x, np.ndarray | np.generic) or is_sparse(x):
        wide = _WIDE.get(x.dtype.char)
        return x if wide is None else x.astype(wide)
    if isinstance(x, Composite):
        return map_fields(widened, x)
    inside = None if is_natural(x) else parts(x)
    if inside is None or precision(x) == DOUBLE:
        return x
    return construct(type(x), map_parts(widened, inside), like=x)


DOUBLE = float(np.finfo(float).eps)


def precision(*values: Any) -> float:
    """The relative precision of the least precise number among values.

    Example: >>> precision(1.0) < 1e-15 < 1e-8 < precision({"a": np.float32(1)}) < 1e-6
             True
    """
    eps = DOUBLE
    for x in values:
        if isinstance(x, np.ndarray | np.generic) or is_sparse(x):
            if x.dtype.kind in "fc":
                eps = max(eps, float(np.finfo(x.dtype).eps))
        elif not is_natural(x):
            eps = max(eps, precision(*named_parts(x).values()))
    return eps
