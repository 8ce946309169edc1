"""Jacobians.

A Jacobian has the shape of the value followed by that of the argument. It comes by rows, one run of
the pullback for each entry of the value, or by columns, one for each entry of the argument,
whichever are fewer: f runs once. `jac_mode="fwd"` takes the columns from forward mode instead, in
constant memory, and runs f once more for each, on copies of what it changes. Complex arguments are refused: a
Jacobian of real numbers by complex ones is not one complex array. Of structured arguments and values it is a
structure of blocks, that of the value outside.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ..core.callables import describe, name_of
from ..core.decorators import non_differentiable
from ..core.engine import Engine
from ..core.errors import NotDifferentiableError, UnsupportedArgument
from ..core.recording import by_rule
from ..tangents import NO_TANGENT, ZERO, ravel, unthunk, zero_tangent
from .blocks import blocks, count, flattened, unit
from .boundary import chosen, positions_of, seed_of, value_part
from .calls import forward_of, reverse_of
from .leaves import Layout
from .linear import transposed
from .named import Names, named
from .source.reruns import at_entry, copied
from .sparse_jacobians import sparse_jacobian
from .specialised.running.columns import jacobian_of, learn_jacobian
from .specialised.running.standing import standing_for, stood_for
from .warned import warn_of_zeros

P = ParamSpec("P")
R = TypeVar("R")

MODES = ("auto", "fwd", "rev")


def jacobian(
    f: Callable[P, Any],
    argnums: int | tuple[int, ...] = 0,
    *,
    argnames: Names | None = None,
    jac_mode: str = "auto",
    has_aux: bool = False,
    sparsity: Any = None,
    engine: Engine | str | None = None,
) -> Callable[P, Any]:
    """All the partial derivatives of f's value by an argument.

    Shapes:  that of the value followed by that of the argument; a float where both are numbers; a
             tuple of Jacobians where `argnums` is one. For a structured argument or value a
             `Composite` of blocks. With `has_aux` f returns `(value, aux)` and the result is
             `(jacobian, aux)`. With `sparsity`, a matrix that is not zero where the Jacobian of a vector
             by a vector may be, a CSR array, in as many passes as the pattern has colours; `"auto"` finds
             the places, in about log₂ n times as many.
    Raises:  UnsupportedArgument for another `jac_mode`, impossible `argnums`, a pattern that lacks places;
             NotDifferentiableError for a complex argument or a value without derivative; else as `grad`.
    Example: >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
             array([[2., 0.],
                    [0., 4.]])
    """
    if argnames is not None:
        options = {"jac_mode": jac_mode, "has_aux": has_aux, "sparsity": sparsity, "engine": engine}
        return named(jacobian, f, argnames, options)
    if sparsity is not None and jac_mode in MODES:
        return sparse_jacobian(f, argnums, sparsity, jac_mode, has_aux, engine)
    with_value = value_and_jacobian(f, argnums, jac_mode=jac_mode, has_aux=has_aux, engine=engine)

    def jacobian_at(*x: Any, **kwargs: Any) -> Any:
        value, jacobians = with_value(*x, **kwargs)
        if has_aux:
            return jacobians, value[1]
        return jacobians

    return jacobian_at


def jacfwd(
    f: Callable[P, Any],
    argnums: int | tuple[int, ...] = 0,
    *,
    argnames: Names | None = None,
    has_aux: bool = False,
    engine: Engine | str | None = None,
) -> Callable[P, Any]:
    """The Jacobian by columns, in forward mode and constant memory: `jacobian` with `jac_mode="fwd"`.

    Shapes:  as `jacobian`.
    Raises:  as `jacobian`; NotDifferentiableError where f gives another value each time it runs.
    Example: >>> jacfwd(lambda x: x * x)(3.0)
             6.0
    """
    return jacobian(f, argnums, argnames=argnames, jac_mode="fwd", has_aux=has_aux, engine=engine)


def jacrev(
    f: Callable[P, Any],
    argnums: int | tuple[int, ...] = 0,
    *,
    argnames: Names | None = None,
    has_aux: bool = False,
    engine: Engine | str | None = None,
) -> Callable[P, Any]:
    """The Jacobian by rows, in reverse mode: `jacobian` with `jac_mode="rev"`.

    Shapes:  as `jacobian`.
    Raises:  as `jacobian`.
    Example: >>> jacrev(lambda x: x * x)(3.0)
             6.0
    """
    return jacobian(f, argnums, argnames=argnames, jac_mode="rev", has_aux=has_aux, engine=engine)


def value_and_jacobian(
    f: Callable[P, R],
    argnums: int | tuple[int, ...] = 0,
    *,
    argnames: Names | None = None,
    jac_mode: str = "auto",
    has_aux: bool = False,
    engine: Engine | str | None = None,
) -> Callable[P, tuple[R, Any]]:
    """Value and Jacobian in one run; otherwise as `jacobian`.

    Shapes:  `(value, jacobian)`; with `has_aux`, `((value, aux), jacobian)`.
    Raises:  as `jacobian`.
    Example: >>> value_and_jacobian(lambda x: x * x)(3.0)
             (9.0, 6.0)
    """
    if jac_mode not in MODES:
        raise UnsupportedArgument("jacobian", "jac_mode", jac_mode, supported=MODES)
    if argnames is not None:
        options = {"jac_mode": jac_mode, "has_aux": has_aux, "engine": engine}
        return named(value_and_jacobian, f, argnames, options)

    stands = standing_for(f)

    def value_and_jacobian_at(*x: Any, **kwargs: Any) -> Any:
        needs = chosen(f, argnums, x, None)
        wanted = positions_of("jacobian", f, argnums, len(x))
        refuse_complex(f, x, wanted)
        plain = not has_aux and engine is None and not kwargs and jac_mode != "rev"
        text_of = stood_for(f, stands, x, kwargs)
        known = jacobian_of(text_of, argnums, x, jac_mode == "auto") if plain else None
        if known is not None:
            return known
        like = at_entry(f, x, kwargs)
        if jac_mode == "fwd":
            y, matrices = _forward_columns(f, x, like, kwargs, wanted, has_aux, engine)
        else:
            y, back = reverse_of(f, x, kwargs, needs, engine)
            if jac_mode == "auto" and is_tall(value_part(f, y, has_aux), like, wanted):
                pushforward = transposed(back, y, like, engine)
                matrices = _columns(pushforward, value_part(f, y, has_aux), like, wanted, has_aux)
            else:
                matrices = _rows(back, value_part(f, y, has_aux), like, wanted, has_aux)
        value = value_part(f, y, has_aux)
        refuse_valueless(f, value)
        warn_of_zeros(f, like, kwargs, zeros_of(matrices, wanted, like), wanted, engine)
        jacobians: tuple[Any, ...] = ()
        for i, matrix in zip(wanted, matrices, strict=True):
            jacobians = (*jacobians, blocks(matrix, (value, like[i])))
        several = isinstance(argnums, tuple | list)
        if plain:
            made = jacobians if several else jacobians[0]
            learn_jacobian(text_of, argnums, x, jac_mode == "auto", y, made)
        return y, jacobians if several else jacobians[0]

    return value_and_jacobian_at


Matrices = tuple[Any, ...]
"""For each chosen argument the partial derivatives of the value's numbers by the argument's."""


def _rows(back: Any, value: Any, x: tuple[Any, ...], wanted: tuple[int, ...], has_aux: bool) -> Matrices:
    """By one pullback for each number of the value."""
    rows: tuple[Any, ...] = ()
    for k in range(count(value)):
        cotangents = back(seed_of(unit(value, k), has_aux))
        row: tuple[Any, ...] = ()
        for i in wanted:
            row = (*row, flattened(cotangents[i], x[i]))
        rows = (*rows, row)
    matrices: Matrices = ()
    for place, i in enumerate(wanted):
        column: tuple[Any, ...] = ()
        for row in rows:
            column = (*column, row[place])
        matrices = (*matrices, np.stack(column) if column else np.zeros((0, count(x[i]))))
    return matrices


def _columns(
    pushforward: Any, value: Any, x: tuple[Any, ...], wanted: tuple[int, ...], has_aux: bool
) -> Matrices:
    """By one pushforward for each number of the arguments."""
    matrices: Matrices = ()
    for i in wanted:
        columns: tuple[Any, ...] = ()
        for k in range(count(x[i])):
            columns = (*columns, flattened(_moved(pushforward(*along(x, i, k)), has_aux), value))
        matrices = (*matrices, np.stack(columns, axis=1) if columns else np.zeros((count(value), 0)))
    return matrices


def _forward_columns(
    f: Any,
    x: tuple[Any, ...],
    like: tuple[Any, ...],
    kwargs: dict[str, Any],
    wanted: tuple[int, ...],
    has_aux: bool,
    engine: Engine | str | None,
) -> tuple[Any, Matrices]:
    """By one run of f in forward mode, on copies, for each number of the arguments; the value too."""
    kept = copied(f, x, kwargs)
    y, _ = forward_of(f, x, along(x), kwargs, engine)

    def pushforward(*dx: Any) -> Any:
        g, at, words = copied(kept[0], kept[1], kept[2])
        again, dy = forward_of(g, at, dx, words, engine)
        refuse_changing(f, y, again)
        return dy

    return y, _columns(pushforward, value_part(f, y, has_aux), like, wanted, has_aux)


def _moved(dy: Any, has_aux: bool) -> Any:
    """The tangent of the value, from that of what f returned."""
    t = unthunk(dy)
    return t[0] if has_aux and not is_nothing(t) else t


def is_nothing(t: Any) -> bool:
    """Whether a tangent is a zero without parts."""
    return t is ZERO or t is NO_TANGENT


def along(x: tuple[Any, ...], i: int = -1, k: int = 0) -> tuple[Any, ...]:
    """The direction in which one number of argument i moves; by default none does."""
    return tuple(unit(p, k) if j == i else ZERO for j, p in enumerate(x))


@by_rule
def zeros_of(matrices: Matrices, wanted: tuple[int, ...], x: tuple[Any, ...]) -> list[Any]:
    """For each argument a zero where all its derivatives are zero, else nothing."""
    zeros = {i: ZERO for i, m in zip(wanted, matrices, strict=True) if m.size and not np.any(m)}
    return [zeros.get(i) for i in range(len(x))]


@by_rule
def is_tall(value: Any, x: tuple[Any, ...], wanted: tuple[int, ...]) -> bool:
    """Whether there are fewer columns than rows."""
    return sum(count(x[i]) for i in wanted) < count(value)


@by_rule
def refuse_complex(f: Any, x: tuple[Any, ...], wanted: tuple[int, ...]) -> None:
    """Raise where an argument is complex."""
    for i in wanted:
        if Layout.of(x[i], is_complex, into_functions=True)[1]:
            raise NotDifferentiableError(
                f"the Jacobian of {name_of(f)} by argument {i}, {describe(x[i])}, is not one complex array",
                closest="vjp and jvp take complex arguments",
                next="give f the real and the imaginary part as two arguments",
            )


def is_complex(x: Any) -> bool:
    """Whether a value is a complex number or an array of them."""
    return isinstance(x, complex | np.ndarray | np.generic) and np.iscomplexobj(x)


@by_rule
def refuse_valueless(f: Any, value: Any) -> None:
    """Raise where a value has no derivative."""
    if zero_tangent(value) is NO_TANGENT:
        raise NotDifferentiableError(
            f"{name_of(f)} returned {describe(value)}, which has no derivative",
            next="return a number, an array, or a structure of them",
        )


@by_rule
def refuse_changing(f: Any, y: Any, again: Any) -> None:
    """Raise where f gives one value in one run and another in the next, by more than rounding.

    A derivative inside f may be computed by one program in one run and by another in the next.
    """
    first, second = ravel(y)[0], ravel(again)[0]
    size = np.max(np.abs(first), initial=0.0, where=np.isfinite(first))
    if first.shape != second.shape or not np.allclose(first, second, 1e-9, 1e-9 * size, equal_nan=True):
        raise NotDifferentiableError(
            f"{name_of(f)} returned two different values at the same arguments",
            next='use jac_mode="auto" or "rev", which run it once',
        )


non_differentiable(
    along,
    is_nothing,
    is_tall,
    zeros_of,
    refuse_complex,
    refuse_valueless,
    refuse_changing,
    why="decides by shapes",
)
