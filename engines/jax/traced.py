"""Rules run in jax.numpy, so that JAX compiles them with the program around them.

The author's forward rule is taken with NumPy's functions replaced by their twins, and the functions it calls
likewise; JAX transposes it for reverse mode. The rules of `scalar_rule` give their partials. Whatever is
doubtful is refused with `NoTwin`: a name without a twin, a write into an array or object, a question about a
type. What remains is run beside the rule on the host, at the arguments that were tried, and must agree in
value, tangent and second tangent; the derivative of the rule's body, which the last needs, is JAX's.
"""

from __future__ import annotations

import builtins
import dis
import math
import warnings
from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...core.callables import normalise
from ...core.lookup import Found, find
from ...core.registry import rules_of
from ...core.scalar import Scalar
from ...core.seeds import absorbs
from ...tangents import ZERO, Composite, NotImplementedTangent
from ..leaves import Layout
from .programs import Program, Space, selected
from .scaled import scaled
from .twins import ATTRIBUTES, TWINS, Namespace, NoTwin

_WRITES = ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_ATTR", "DELETE_ATTR", "STORE_GLOBAL", "IMPORT_NAME")
_BUILTINS = frozenset({abs, all, any, callable, enumerate, len, max, min, range, reversed, tuple, zip})
_FAILURES = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError, Warning)
_RAISES = "numpy.linalg raises where there is no answer, jax.numpy gives NaN"
_CONSTANTS = (bool, int, float, complex, str, bytes, type(None), type(...), slice, type(ZERO))


_PACKAGE = __name__.partition(".")[0]


class Swap(dict[Any, Any]):
    """The functions that were transplanted; what is refused, and whether an argument may be an index.

    `holds` asks whether what they read outside of themselves is still what it was.
    """

    def __init__(self, careful: bool, indices: bool) -> None:
        super().__init__()
        self.careful, self.indices = careful, indices
        self.holds: list[Callable[[], bool]] = []


def traced(
    program: Program, x: list[Any], careful: bool
) -> tuple[Callable[..., list[Any]], str, list[Callable[[], bool]]]:
    """The program's function in jax.numpy, from its arrays to those of the value; checked at x.

    With it come no reason against it, and questions: it is of use as long as they are all answered by yes.

    `careful` refuses what NumPy answers with an exception and jax.numpy with NaN, as numpy.linalg does.

    Raises:  NoTwin with the reason.
    """
    swapped = Swap(careful, any(s.dtype.kind in "iu" for s in program.inputs))
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("error")  # what is warned of is doubtful
            return _traced(program, x, swapped), "", swapped.holds
    except _FAILURES as error:
        raise NoTwin(f"running its rule in jax.numpy failed: {str(error).partition(chr(10))[0]}") from error


def _traced(program: Program, x: list[Any], swapped: Swap) -> Callable[..., list[Any]]:
    function = program.function
    args = function.layout.filled([space.given(a) for a, space in zip(x, program.inputs, strict=True)])
    f, given, kwargs = normalise(function.f, args, function.kwargs)
    if len(given) != len(args):
        raise NoTwin("it is a method or has arguments bound already")
    found = find("forward", f, given, kwargs)
    if found is None or found.method is None or found.binding is None:
        raise NoTwin("it has no forward rule")
    made = _jax_function(program, f, found, kwargs, swapped)
    _agrees(program, made, x)
    return made


def _jax_function(
    program: Program, f: Any, found: Found, kwargs: Any, swapped: Swap
) -> Callable[..., list[Any]]:
    layout = program.function.layout
    value, push = twin(f, swapped), _forward(found, swapped)

    def leaves(y: Any) -> list[Any]:
        parts = Layout.of(y, lambda v: isinstance(v, jax.Array))[1]
        if len(parts) != len(program.outputs):
            raise NoTwin("its value has other parts in jax.numpy")
        return [jnp.asarray(part, s.dtype) for part, s in zip(parts, program.outputs, strict=True)]

    def compute(*arrays: Any) -> list[Any]:
        return leaves(value(*layout.filled(arrays), **kwargs))

    def in_jax_jvp(arrays: Any, tangents: Any) -> Any:
        dx = [ZERO if type(t) is jax.custom_derivatives.SymbolicZero else t for t in tangents]
        moved = [t if space.moves else ZERO for t, space in zip(dx, program.inputs, strict=True)]
        parts = zip(layout.parts, split(layout, moved), strict=True)
        dargs = [ZERO if all(t is ZERO for t in given) else part.tangent(given) for part, given in parts]
        y, dy = push(layout.filled(arrays), dargs, kwargs)
        entries = (
            [dy] if len(program.outputs) == 1 and not isinstance(dy, Composite) else program.out.entries(dy)
        )
        ys = leaves(y)
        return ys, [_tangent(part, t) for part, t in zip(ys, entries, strict=True)]

    in_jax = jax.custom_jvp(compute)
    in_jax.defjvp(in_jax_jvp, symbolic_zeros=True)
    made: Callable[..., list[Any]] = in_jax
    return made


def split(layout: Layout, leaves: list[Any]) -> list[list[Any]]:
    """The leaves of each part of a tuple."""
    found, rest = [], iter(leaves)
    for part in layout.parts:
        found.append([next(rest) for _ in range(part.count)])
    return found


def _tangent(y: Any, t: Any) -> Any:
    """A tangent in the space of its value."""
    if not jnp.issubdtype(y.dtype, jnp.inexact):
        return np.zeros(y.shape, jax.dtypes.float0)
    if absorbs(t):
        if type(t) is NotImplementedTangent:
            raise NoTwin(t.why)
        return jnp.zeros_like(y)
    t = jnp.asarray(t) if jnp.iscomplexobj(y) else jnp.real(t)
    return jnp.broadcast_to(t, y.shape).astype(y.dtype)


def _forward(found: Found, swapped: Swap) -> Callable[..., tuple[Any, Any]]:
    """From a call's values and tangents to (value, tangent), by the author's rule."""
    method, binding = found.method, found.binding
    assert method is not None and method.rule is not None and binding is not None
    signature = method.signature
    if found.to_array or method.mutates or method.lazy_seed or signature.wants_engine:
        raise NoTwin(f"{method.name} takes lists, changes its arguments, or asks for the engine")
    made = getattr(method.rule, "scalar", None)
    rule = twin(method.rule, swapped) if made is None else _scalar(made, swapped)

    def push(args: Any, tangents: Any, kwargs: Any) -> Any:
        values, moving = (*args, *kwargs.values()), (*tangents, *(ZERO for _ in kwargs))
        data = binding.data_of(values)
        dx = tuple(
            [moving[s] if isinstance(s, int) and not absorbs(moving[s]) else ZERO for s in binding.data]
        )
        dx += (ZERO,) * (len(signature.types) - len(data))
        metadata = binding.metadata_of(values)
        if made is not None and metadata:
            raise NoTwin(f"{method.name} is called with keywords")
        if signature.wants_needs:
            metadata["needs"] = tuple([t is not ZERO for t in dx])
        return rule(dx, *data, **metadata)

    return push


def _scalar(made: Scalar, swapped: Swap) -> Callable[..., tuple[Any, Any]]:
    """The forward rule of `scalar_rule`."""
    f = twin(made.f, swapped)
    parts = [twin(part, swapped) if callable(part) else part for part in made.parts]

    def rule(tangents: Any, *x: Any) -> tuple[Any, Any]:
        y, dy = f(*x), ZERO
        for dx, part in zip(tangents, parts, strict=True):
            if dx is not ZERO:
                partial = part(y, *x) if callable(part) else part
                dy = dy + (scaled(dx, partial) if made.strong_zero else dx * partial)
        return y, dy

    return rule


def twin(a: Any, swapped: Swap) -> Any:
    """What stands for a thing that a rule names."""
    if isinstance(a, ModuleType):
        if a in (np, math):
            return Namespace("") if a is np else a
        raise NoTwin(f"the module {a.__name__} has no twin")
    if isinstance(a, _CONSTANTS) or a in (Composite,):
        return a
    if isinstance(a, tuple):
        return tuple([twin(part, swapped) for part in a])
    if a in TWINS:
        if swapped.careful and getattr(a, "__module__", "") == "numpy.linalg":
            raise NoTwin(_RAISES)
        return TWINS[a]
    if isinstance(a, BuiltinFunctionType | type) and a in _BUILTINS:
        return a
    rules = rules_of(a) if callable(a) else None
    if isinstance(a, FunctionType) and rules is not None and rules.non_differentiable is not None:
        return a  # it computes with shapes; given a traced value it fails
    if isinstance(a, FunctionType):
        return _transplanted(a, swapped)
    raise NoTwin(f"{a!r} has no twin in jax.numpy")


def _transplanted(f: FunctionType, swapped: Swap) -> Any:
    """A function of NumPy's with its names swapped for their twins."""
    if f in swapped:
        return swapped[f]
    names = _names(f.__code__, swapped)
    if swapped.careful and "linalg" in names:
        raise NoTwin(_RAISES)
    for name in names - ATTRIBUTES - set(vars(math)):
        raise NoTwin(f"{f.__name__} reads {name!r}, which jax.numpy may not have")
    known = {n: f.__globals__.get(n, vars(builtins).get(n)) for n in _globals(f.__code__)}
    scope: dict[str, Any] = {"__builtins__": {}}
    cells = tuple([CellType() for _ in f.__closure__ or ()])
    made = swapped[f] = FunctionType(f.__code__, scope, f.__name__, f.__defaults__, cells or None)
    made.__kwdefaults__ = f.__kwdefaults__
    scope.update({name: twin(value, swapped) for name, value in known.items()})
    if f.__module__.partition(".")[0] != _PACKAGE:  # whose own names are not bound anew
        swapped.holds += [partial(_is_named, f.__globals__, name, value) for name, value in known.items()]
        swapped.holds += [partial(_is_captured, cell, cell.cell_contents) for cell in f.__closure__ or ()]
    for cell, old in zip(cells, f.__closure__ or (), strict=True):
        cell.cell_contents = twin(old.cell_contents, swapped)
    return made


def _is_named(scope: dict[str, Any], name: str, value: Any) -> bool:
    return scope.get(name, vars(builtins).get(name)) is value


def _is_captured(cell: CellType, value: Any) -> bool:
    return cell.cell_contents is value


def _names(code: CodeType, swapped: Swap) -> set[str]:
    """The attributes that code reads; what it may not do is refused."""
    found = set()
    for step in dis.get_instructions(code):
        if step.opname in _WRITES or (step.opname == "BINARY_OP" and step.argrepr.endswith("=")):
            raise NoTwin(f"{code.co_name} changes something in place, or imports")
        if step.opname == "BINARY_SUBSCR" and swapped.indices:
            raise NoTwin(f"{code.co_name} looks up places, and JAX does not check that they exist")
        if step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            found.add(str(step.argval))
    return found.union(*(_names(c, swapped) for c in code.co_consts if isinstance(c, CodeType)))


def _globals(code: CodeType) -> set[str]:
    loads = [str(s.argval) for s in dis.get_instructions(code) if s.opname in ("LOAD_GLOBAL", "LOAD_NAME")]
    return set(loads).union(*(_globals(c) for c in code.co_consts if isinstance(c, CodeType)))


def _agrees(program: Program, made: Callable[..., list[Any]], x: list[Any]) -> None:
    """Hold value, first and second tangents to those of the host, at one point and along one direction."""
    moving = tuple(space.moves for space in program.inputs)
    outs = tuple(space.moves for space in program.outputs)
    numbers = np.random.default_rng(0)
    dx = [_direction(numbers, s) for s in program.inputs]
    given = selected(dx, moving)
    host = list(program.run(*x))
    if given and any(outs):
        push = program.derived("push", moving, outs)
        host += push.run(*given, *x)
        host += push.derived("push", (False,) * len(given) + moving, (True,) * sum(outs)).run(
            *given, *given, *x
        )

    def pushed(*arrays: Any) -> tuple[list[Any], list[Any]]:
        still = [np.zeros(s.shape, jax.dtypes.float0) for s in program.inputs]
        tangents = [t if m else z for t, m, z in zip(dx, moving, still, strict=True)]
        moved: tuple[list[Any], list[Any]] = jax.jvp(made, arrays, tuple(tangents))
        return moved

    jax.eval_shape(lambda *arrays: pushed(*arrays), *x)  # fails where a rule decides by values
    with jax.ensure_compile_time_eval():
        fixed = list(map(jnp.asarray, x))

        def along(t: Any) -> tuple[list[Any], list[Any]]:
            y, dy = pushed(*(a + t * d if m else a for a, d, m in zip(fixed, dx, moving, strict=True)))
            return y, selected(dy, outs)

        if len(host) == len(outs):
            found = made(*fixed)
        else:
            (y, dy), (_, ddy) = jax.jvp(along, (0.0,), (1.0,))
            found = [*y, *dy, *ddy]
        if not all(map(_close, host, found)):
            raise NoTwin("jax.numpy gives other numbers")


def _direction(numbers: Any, space: Space) -> Any:
    dx = numbers.normal(size=space.shape) + 1j * numbers.normal(size=space.shape)
    return (dx if space.dtype.kind == "c" else dx.real).astype(space.dtype)


def _close(a: Any, b: Any) -> bool:
    single = b.dtype in (np.float32, np.complex64, np.float16)
    scale = float(np.max(np.abs(a), initial=0.0, where=np.isfinite(a)))
    rtol = 1e-3 if single else 1e-8
    return np.allclose(a, b, rtol=rtol, atol=rtol * scale, equal_nan=True)
