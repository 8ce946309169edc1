"""Jacobians whose pattern is known, or found: many columns, or rows, in one pass, by colouring the pattern.

A pattern that leaves out an entry would give wrong numbers; so one more pass, along a random direction,
is compared with the matrix that was found. Where `sparsity="auto"` the pattern is found at each call, since
another argument may take other branches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.callables import name_of
from ..core.decorators import non_differentiable
from ..core.engine import Engine
from ..core.errors import UnsupportedArgument
from ..core.recording import by_rule
from ..tangents import ZERO, materialize, unthunk
from .boundary import positions_of
from .calls import forward_of, reverse_of
from .colouring import Pattern
from .patterns import found_pattern


@by_rule
def refuse_shapes(f: Any, pattern: Pattern, y: Any, x: Any) -> None:
    """Raise unless value and argument are vectors of the pattern's lengths."""
    for what, v, n in (("value", y, pattern.shape[0]), ("argument", x, pattern.shape[1])):
        if not isinstance(v, np.ndarray) or v.shape != (n,) or v.dtype.kind not in "fiu":
            raise UnsupportedArgument(
                "jacobian", "sparsity", pattern.shape,
                why=f"the {what} of {name_of(f)} is no vector of {n} real numbers",
                next="flatten it in the function, or leave sparsity out",
            )  # fmt: skip


@by_rule
def refuse_pattern(f: Any, matrix: Any, by_columns: bool, direction: Any, product: Any) -> None:
    """Raise where the matrix found and the derivative along a random direction disagree."""
    finite = np.isfinite(product)
    eps = float(np.sqrt(np.finfo(np.result_type(product, 0.0)).eps))
    if np.all(finite):
        size = abs(matrix) @ abs(direction)
        within = np.abs(matrix @ direction - product) <= eps * size + eps**2 * np.max(size, initial=0.0)
    else:
        within = finite
    if not np.all(within):
        raise UnsupportedArgument(
            "jacobian", "sparsity", matrix.shape,
            why=f"{name_of(f)} has derivatives that are not in this pattern, or not finite, "
            f"first in {'row' if by_columns else 'column'} {int(np.argmin(within))}",
            next="add the missing places to the pattern, or leave sparsity out",
        )  # fmt: skip


def random_direction(n: int) -> Any:
    """A direction, always the same, of numbers between 1 and 2 with random signs."""
    rng = np.random.default_rng(0)
    return rng.uniform(1.0, 2.0, n) * rng.choice([-1.0, 1.0], n)


non_differentiable(refuse_shapes, refuse_pattern, random_direction, why="decides by the pattern")


def sparse_jacobian(
    f: Callable[..., Any],
    argnums: Any,
    sparsity: Any,
    jac_mode: str,
    has_aux: bool,
    engine: Engine | str | None,
) -> Callable[..., Any]:
    """The Jacobian with this pattern, or the one found, as a CSR array that stores every place of it."""
    if has_aux or not isinstance(argnums, int):
        name, value = ("has_aux", has_aux) if has_aux else ("argnums", argnums)
        raise UnsupportedArgument(
            "jacobian", name, value, why="a pattern is of one argument", next="leave sparsity out"
        )
    if isinstance(sparsity, str) and sparsity != "auto":
        raise UnsupportedArgument("jacobian", "sparsity", sparsity, supported=["auto", "a matrix"])
    given = None if isinstance(sparsity, str) else Pattern(sparsity, jac_mode)

    def sparse_jacobian_at(*x: Any, **kwargs: Any) -> Any:
        from scipy.sparse import csr_array

        (i,) = positions_of("jacobian", f, argnums, len(x))
        pattern = given
        if pattern is None:
            pattern = Pattern(found_pattern(f, x, i, kwargs, jac_mode, engine), jac_mode)
        n = pattern.shape[1] if pattern.by_columns else pattern.shape[0]
        if pattern.by_columns:
            like = np.asarray(x[i])

            def pushed(v: Any) -> Any:
                y, dy = forward_of(f, x, (*[ZERO] * i, v, *[ZERO] * (len(x) - i - 1)), kwargs, engine)
                refuse_shapes(f, pattern, y, x[i])
                return materialize(unthunk(dy), like=y)

        else:
            needs = tuple([j == i for j in range(len(x))])
            y, back = reverse_of(f, x, kwargs, needs, engine)
            refuse_shapes(f, pattern, y, x[i])
            like = np.asarray(y)

            def pushed(v: Any) -> Any:
                return materialize(unthunk(back(v)[i]), like=x[i])

        direction = random_direction(n).astype(pattern.seed(0, like).dtype)
        along = pushed(direction)
        passes = [pushed(pattern.seed(k, like)) for k in range(pattern.count)]
        data = pattern.entries(np.stack(passes)) if passes else np.zeros(0)
        matrix = csr_array((data, (pattern.row, pattern.column)), shape=pattern.shape)
        of_lines = matrix if pattern.by_columns else matrix.T
        refuse_pattern(f, of_lines, pattern.by_columns, direction, along)
        return matrix

    return sparse_jacobian_at
