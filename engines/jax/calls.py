"""Calls of a function with JAX's arrays: which program each is, and what its value looks like.

What JAX follows are arrays anywhere and floating-point numbers by position. All else is constant, whole
numbers and numbers by keyword too, and part of the key under which a call's program is kept. What the value
looks like is found by running f once, on the arguments where they are known and on made-up ones where JAX is
tracing (stand_ins.py), unless the caller says it (`value=`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ...core.caches import generation
from ...core.callables import name_of
from ...core.engine import Engine
from ...core.errors import ChainRulesError, UnsupportedArgument
from ...tangents.containers import rebuilt
from ..adapters.array_functions import ArrayFunction, is_numeric
from ..adapters.stand_ins import Spec, refuse_by_values, refuse_effects, stand_ins
from ..leaves import Layout
from .batches import batching_of
from .programs import KINDS, Program, Space
from .traced import traced
from .twins import NoTwin

WAYS = ("auto", "traced", "callback")

KEPT = 256
"""So many programs are kept for one function; beyond, the oldest is forgotten and found anew when needed."""


def is_array(x: Any) -> bool:
    """Whether JAX follows a value: an array of numbers, or a floating-point number."""
    return isinstance(x, jax.Array) or is_numeric(x)


def by_position(f: Callable[..., Any], names: tuple[str, ...], kwargs: dict[str, Any]) -> Callable[..., Any]:
    """f with the keywords of these names behind its positional arguments."""
    if not names:
        return f
    count = len(names)

    def positional(*x: Any) -> Any:
        named = dict(zip(names, x[-count:], strict=True))
        return f(*x[:-count], **named, **kwargs)

    positional.__name__ = positional.__qualname__ = name_of(f)
    return positional


class Form(NamedTuple):
    """One form of call: its program, the same in jax.numpy where it is to be, else why not."""

    program: Program
    in_jax: Callable[..., list[Any]] | None
    why: str
    holds: Sequence[Callable[[], bool]] = ()  # whether names that a traced rule read still mean the same
    proven: bool = False  # whether what the value looks like is known to depend on no values


class Calls:
    """The calls of one function, each form of call with its program."""

    def __init__(self, f: Callable[..., Any], how: str, value: Any, engine: Engine | None) -> None:
        if how not in WAYS:
            raise UnsupportedArgument("to_jax", "how", how, supported=WAYS)
        self.f, self.how, self.declared, self.engine = f, how, value, engine
        self.forms: dict[Any, Form] = {}

    def form(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Form, list[Any]]:
        """The form of a call, and the arrays it is called with."""
        names = tuple(
            name for name, v in kwargs.items() if not isinstance(v, float | complex) and _follows(v)
        )
        layout, leaves = Layout.of((*args, *(kwargs[name] for name in names)), is_array)
        arrays = [jnp.asarray(a) for a in leaves]
        inputs = tuple(map(self._space, arrays))
        rest = {name: v for name, v in kwargs.items() if name not in names}
        key = (
            generation(),
            inputs,
            names,
            _key(layout.root),
            tuple((name, _key_of(v)) for name, v in rest.items()),
        )
        found = self.forms.get(key)
        tracing = any(isinstance(a, jax.core.Tracer) for a in arrays)
        doubtful = found is not None and tracing and not found.proven
        if found is None or doubtful or not all(held() for held in found.holds):
            found = self._new(names, rest, layout, arrays, inputs)
            if len(self.forms) >= KEPT:
                self.forms.pop(next(iter(self.forms)), None)
            self.forms[key] = found
        return found, arrays

    def _space(self, a: Any) -> Space:
        if KINDS.find(a.dtype.kind) < 0:
            raise UnsupportedArgument(
                self.f,
                "an array",
                a.dtype,
                why="NumPy has no such numbers",
                supported=["truth values, whole, real and complex numbers of NumPy"],
                next="convert it with .astype(float)",
            )
        return Space(a.shape, a.dtype, bool(a.weak_type) and not a.shape)

    def _new(
        self, names: tuple[str, ...], kwargs: dict[str, Any], layout: Layout, arrays: list[Any], inputs: Any
    ) -> Form:
        refuse_effects("JAX", self.f, layout.filled(arrays), kwargs)
        kwargs = {name: _settled(value) for name, value in kwargs.items()}
        f = by_position(self.f, names, kwargs)
        kwargs = {} if names else kwargs
        known = [None if isinstance(a, jax.core.Tracer) else np.asarray(a) for a in arrays]
        tried = next(_tried(known, inputs))
        # the layout keeps what it was made of, and must not keep what JAX is tracing
        settled = Layout.of(layout.filled(tried), is_numeric)[0].settled(_settled)
        function = ArrayFunction(f, settled, kwargs, self.engine)
        out, outputs, x = self._value(function, known, inputs)
        batching = batching_of(self.f, layout.is_plain, inputs, kwargs)
        stated = self.declared is not None or batching != "loop"
        if not stated and any(a is None for a in known):
            self._refuse_by_values(function, out, outputs, known, inputs)
            stated = True
        return self._either(Program(function, out, inputs, outputs, batching), x)._replace(proven=stated)

    def _refuse_by_values(
        self, function: ArrayFunction, out: Layout, outputs: tuple[Space, ...], known: Any, inputs: Any
    ) -> None:
        """Refuse a value that JAX, which is tracing, could not know the shape of without the numbers."""

        def value(made: list[Any]) -> tuple[Layout, list[Spec]]:
            x = [m if k is None else k for k, m in zip(known, made, strict=True)]
            with np.errstate(all="ignore"):
                found, ys = function.value([s.given(np.asarray(a)) for a, s in zip(x, inputs, strict=True)])
            spaces = [_declared(np.asarray(y)) for y in ys]
            return found, [(s.shape, s.dtype) for s in spaces]

        specs = [(space.shape, np.dtype(space.dtype)) for space in inputs]
        refuse_by_values(function, out, [(s.shape, s.dtype) for s in outputs], specs, value)

    def _either(self, program: Program, x: Any) -> Form:
        """The program, and the same in jax.numpy unless it is not wanted or cannot be."""
        if self.how == "callback":
            return Form(program, None, "it was asked for")
        try:
            if self.engine is not None or x is None:
                raise NoTwin("an engine is given" if x is not None else "the value is declared")
            return Form(program, *traced(program, x, careful=self.how == "auto"))
        except NoTwin as reason:
            if self.how == "auto":
                return Form(program, None, str(reason))
            raise UnsupportedArgument(
                "to_jax", "how", self.how, why=f"{name_of(self.f)} cannot be traced: {reason}", supported=WAYS
            ) from reason

    def _value(
        self, function: ArrayFunction, known: Any, inputs: Any
    ) -> tuple[Layout, tuple[Space, ...], list[Any] | None]:
        """Layout, shapes and dtypes of the value, and the arguments with which they were found."""
        if self.declared is not None:
            out, leaves = Layout.of(self.declared, lambda v: hasattr(v, "shape") and hasattr(v, "dtype"))
            return out, tuple(map(_declared, leaves)), None
        failed: Exception | None = None
        for x in _tried(known, inputs):
            try:
                with np.errstate(all="ignore"):
                    given = [s.given(np.asarray(a)) for a, s in zip(x, inputs, strict=True)]
                    out, ys = function.value(given)
            except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
                failed = error
                if all(a is not None for a in known):
                    raise
                continue
            return out, tuple(_declared(np.asarray(y)) for y in ys), x
        raise ChainRulesError(
            f"what the value of {name_of(self.f)} is like cannot be told: made-up arguments gave {failed!r}",
            next="say it: to_jax(f, value=jax.ShapeDtypeStruct(shape, dtype)), or a tuple or dict of them",
        ) from failed


def _follows(v: Any) -> bool:
    return Layout.of(v, lambda a: isinstance(a, jax.Array | np.ndarray) and is_array(a))[0].count > 0


def _declared(a: Any) -> Space:
    return Space(tuple(a.shape), np.dtype(jax.dtypes.canonicalize_dtype(a.dtype)))


def _tried(known: list[Any], inputs: tuple[Space, ...]) -> Iterator[list[Any]]:
    """Arguments to try f on: the arrays that are known, and made-up ones for the others."""
    for made in stand_ins([(space.shape, space.dtype) for space in inputs]):
        yield [m if k is None else k for k, m in zip(known, made, strict=True)]


def _key(node: Any) -> Any:
    """What tells the structure of one call from that of another."""
    below = getattr(node, "below", None)
    if below is not None:
        return node.P, node.names, tuple(map(_key, below))
    return node if isinstance(node, int) else _key_of(node.value)


def _key_of(value: Any) -> Any:
    """What tells a constant from others: type and value; an object without a hash is itself alone."""
    if isinstance(value, float | complex):
        return type(value), repr(value)  # -0.0 is not 0.0
    if _is_sequence(value):
        return type(value), tuple(map(_key_of, value))
    try:
        hash(value)
    except TypeError:
        return _Itself(value)
    return type(value), value


def _settled(value: Any) -> Any:
    """A constant whose key tells what is in it, so that the program kept under the key keeps that."""
    if not _is_sequence(value):
        return value
    return rebuilt(value, map(_settled, value))


def _is_sequence(value: Any) -> bool:
    return type(value) in (tuple, list) or (isinstance(value, tuple) and hasattr(value, "_fields"))


class _Itself:
    """An object as a key: equal to itself alone, and kept alive so that its identity stays its own."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)
