"""Hessians, and products with them.

A Hessian is the Jacobian of the gradient; a product with a vector is the gradient's derivative along it,
forward over reverse. After a few calls both run the pushforward of the specialised gradient: a Hessian takes
one run of it for each number of the arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from ..core.callables import name_of
from ..core.decorators import non_differentiable
from ..core.engine import Engine
from ..core.recording import by_rule
from ..tangents import ZERO, ShapeMismatch
from .boundary import positions_of, presented
from .calls import forward_of
from .jacobians import jacobian
from .named import Names, named
from .operators import grad
from .source.reruns import at_entry
from .specialised.running.seconds import hessian_of, learn_hessian, learn_product, product_by_lasting
from .specialised.running.standing import standing_for, stood_for

P = ParamSpec("P")
R = TypeVar("R")


def hessian(
    f: Callable[P, Any],
    argnums: int | tuple[int, ...] = 0,
    *,
    argnames: Names | None = None,
    has_aux: bool = False,
    sparsity: Any = None,
    engine: Engine | str | None = None,
) -> Callable[P, Any]:
    """All second derivatives of a real-valued function: the Jacobian of its gradient.

    Shapes:  that of the argument twice; where `argnums` is a tuple, a tuple of tuples.
             `sparsity` as for `jacobian`.
    Raises:  as `grad` and `jacobian`.
    Example: >>> hessian(lambda x: np.sum(x**3))(np.array([1.0, 2.0]))
             array([[ 6.,  0.],
                    [ 0., 12.]])
    """
    if argnames is not None:
        return named(hessian, f, argnames, {"has_aux": has_aux, "sparsity": sparsity, "engine": engine})
    gradient = grad(f, argnums, has_aux=has_aux, engine=engine)
    if sparsity is not None:
        return jacobian(gradient, argnums, jac_mode="fwd", has_aux=has_aux, sparsity=sparsity, engine=engine)
    of_gradient = jacobian(gradient, argnums, has_aux=has_aux, engine=engine)
    plain = not has_aux and engine is None
    stands = standing_for(f)

    def hessian_at(*x: Any, **kwargs: Any) -> Any:
        text_of = stood_for(f, stands, x, kwargs)
        if plain and not kwargs:
            known = hessian_of(text_of, argnums, x)
            if known is not None:
                return known
        made = of_gradient(*x, **kwargs)
        if isinstance(argnums, tuple | list):
            made = _by_rows(made, has_aux)
        if plain and not kwargs:
            learn_hessian(text_of, argnums, x, made)
        return made

    return hessian_at


def _by_rows(made: Any, has_aux: bool) -> Any:
    """A tuple of tuples of blocks, from the Jacobian of a tuple of gradients."""
    by_argument = made[0] if has_aux else made
    rows: tuple[Any, ...] = ()
    for i in range(len(by_argument)):
        row: tuple[Any, ...] = ()
        for column in by_argument:
            row = (*row, column[i])
        rows = (*rows, row)
    return (rows, made[1]) if has_aux else rows


def hvp(
    f: Callable[..., Any],
    x: Any,
    v: Any,
    argnums: int | tuple[int, ...] | None = None,
    *,
    engine: Engine | str | None = None,
    **kwargs: Any,
) -> Any:
    """The Hessian of a real-valued function times a vector, forward over reverse, in one run.

    Without `argnums` f has one argument, x. With it x is the tuple of all arguments of f; v is a tangent
    of the argument chosen, or the tuple of those of several, and the others are held.

    Shapes:  v is a tangent of x; the result is like the gradient.
    Raises:  as `grad`; ShapeMismatch where v is not like x.
    Example: >>> hvp(lambda x: np.sum(x**3), np.array([1.0, 2.0]), np.ones(2))
             array([ 6., 12.])
             >>> hvp(lambda a, b: a * a * b, (3.0, 2.0), (1.0, 0.0), argnums=(0, 1))
             (4.0, 6.0)
    """
    plain = engine is None and not kwargs
    if not plain:
        return _product(f, x, v, argnums, engine, kwargs)
    known = product_by_lasting(f, x, v, argnums)
    if known is not None:
        return known
    product = _product(f, x, v, argnums, engine, kwargs)
    learn_product(f, x, v, argnums, product)
    return product


def _product(
    f: Any, x: Any, v: Any, argnums: Any, engine: Engine | str | None, kwargs: dict[str, Any]
) -> Any:
    """The product by the ordinary program."""
    if argnums is None:
        gradient = grad(f, engine=engine)
        (like,) = at_entry(f, (x,), kwargs)
        _, product = forward_of(gradient, (x,), (v,), kwargs, engine)
        return presented(like, product, None)
    gradient = grad(f, argnums, engine=engine)
    wanted = positions_of("hvp", f, argnums, len(x))
    moved = v if isinstance(argnums, tuple | list) else (v,)
    refuse_count(f, moved, wanted)
    like = at_entry(f, x, kwargs)
    _, product = forward_of(gradient, x, placed(moved, wanted, len(x)), kwargs, engine)
    if not isinstance(argnums, tuple | list):
        return presented(like[wanted[0]], product, None)
    products: tuple[Any, ...] = ()
    for place, i in enumerate(wanted):
        products = (*products, presented(like[i], product[place], None))
    return products


def placed(moved: tuple[Any, ...], wanted: tuple[int, ...], count: int) -> tuple[Any, ...]:
    """The tangents of all arguments, from those of the chosen ones."""
    tangents: tuple[Any, ...] = ()
    for i in range(count):
        tangents = (*tangents, moved[wanted.index(i)] if i in wanted else ZERO)
    return tangents


@by_rule
def refuse_count(f: Any, moved: tuple[Any, ...], wanted: tuple[int, ...]) -> None:
    """Raise unless there is one vector for each chosen argument."""
    if len(moved) != len(wanted):
        raise ShapeMismatch(
            f"hvp of {name_of(f)} by {len(wanted)} arguments was given {len(moved)} vectors",
            next="give one for each number in argnums, in that order",
        )


non_differentiable(refuse_count, why="checks arguments")
