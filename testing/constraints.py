"""Constrained inputs: a matrix that must stay symmetric, values that must stay off an edge.

`constrained(x, "positive definite")` stands where the argument would: the check then moves x along
random tangents of the constraint alone, so that a function which means anything only there (a
Cholesky factor, an entropy) is held to what it must hold. Cotangents are compared along those
tangents. Straight lines leave a curved constraint at second order, which a derivative does not see;
a function that refuses every matrix not exactly orthogonal is not reached this way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..tangents import ChainRulesError
from .random import WithTangent

MARGIN = 0.02
"""How far, relative to the largest entry, values must lie from ties, integers and from one another."""


class ConstraintError(ChainRulesError, ValueError):
    """A constraint that does not exist, or an input that does not satisfy it."""


class Constraint(NamedTuple):
    """Whether x satisfies it, and the tangent nearest to dx that stays in it at x."""

    holds: Callable[[Any], Any]
    tangent: Callable[[Any, Any], Any]


def constrained(x: Any, *names: str) -> WithTangent:
    """An argument of a check that is moved only within constraints, of those in `CONSTRAINTS`.

    Shapes:  an array; of matrices, the last two axes; probabilities and sorted values, the last one.
    Raises:  ConstraintError where x does not satisfy a constraint, or there is none of that name.
    Example: >>> constrained(np.eye(2), "symmetric").within(np.array([[1.0, 2.0], [0.0, 1.0]]))
             array([[1., 1.],
                    [1., 1.]])
    """
    for name in names:
        if name not in CONSTRAINTS:
            raise ConstraintError(
                f"there is no constraint {name!r}", next=f"there are: {', '.join(CONSTRAINTS)}"
            )
        if not np.all(CONSTRAINTS[name].holds(np.asarray(x))):
            raise ConstraintError(
                f"the input is not {name}: {x!r:.80}", next="give one that is, with a margin"
            )

    def within(dx: Any) -> Any:
        for name in names:
            dx = CONSTRAINTS[name].tangent(x, dx)
        return dx

    return WithTangent(x, None, within)


def _adjoint(a: Any) -> Any:
    return np.conj(np.swapaxes(a, -1, -2))


def _square(a: Any) -> bool:
    return bool(a.ndim >= 2 and a.shape[-1] == a.shape[-2])


def _symmetric(a: Any) -> bool:
    return _square(a) and np.allclose(a, np.swapaxes(a, -1, -2))


def _hermitian(a: Any) -> bool:
    return _square(a) and np.allclose(a, _adjoint(a))


def _hermitian_part(x: Any, dx: Any) -> Any:
    return (dx + _adjoint(dx)) / 2


def _positive_definite(a: Any) -> bool:
    return _hermitian(a) and bool(np.all(np.linalg.eigvalsh(a) > 0))


def _unitary(a: Any) -> bool:
    return _square(a) and bool(np.allclose(_adjoint(a) @ a, np.eye(a.shape[-1])))


def _turning(x: Any, dx: Any) -> Any:
    """The part of dx along the unitary matrices: x times an antihermitian matrix."""
    inner = _adjoint(x) @ dx
    return x @ ((inner - _adjoint(inner)) / 2)


def _probabilities(p: Any) -> bool:
    return bool(np.all(p > 0)) and np.allclose(np.sum(p, axis=-1), 1.0)


def _kept_sum(x: Any, dx: Any) -> Any:
    return dx - np.mean(dx, axis=-1, keepdims=True)


def _apart(values: Any) -> bool:
    """Whether values along the last axis are apart from one another by the margin."""
    gaps = np.diff(np.sort(values, axis=-1), axis=-1)
    return bool(np.all(gaps > MARGIN * np.max(np.abs(values), initial=0.0)))


def _distinct_eigenvalues(a: Any) -> bool:
    if not _square(a):
        return False
    values = np.linalg.eigvals(a)
    gaps = np.abs(values[..., :, None] - values[..., None, :])[..., ~np.eye(a.shape[-1], dtype=bool)]
    return bool(np.all(gaps > MARGIN * np.max(np.abs(values), initial=0.0)))


def _unchanged(x: Any, dx: Any) -> Any:
    """Of an open set every direction is a tangent."""
    return dx


CONSTRAINTS = {
    "symmetric": Constraint(_symmetric, lambda x, dx: (dx + np.swapaxes(dx, -1, -2)) / 2),
    "hermitian": Constraint(_hermitian, _hermitian_part),
    "positive definite": Constraint(_positive_definite, _hermitian_part),
    "orthogonal": Constraint(_unitary, _turning),
    "unitary": Constraint(_unitary, _turning),
    "lower triangular": Constraint(lambda a: np.array_equal(a, np.tril(a)), lambda x, dx: np.tril(dx)),
    "upper triangular": Constraint(lambda a: np.array_equal(a, np.triu(a)), lambda x, dx: np.triu(dx)),
    "probability": Constraint(_probabilities, _kept_sum),
    "sorted": Constraint(lambda x: np.all(np.diff(x, axis=-1) > 0), _unchanged),
    "off ties": Constraint(lambda x: _apart(x.ravel()), _unchanged),
    "off integers": Constraint(lambda x: np.abs(x - np.round(x)) > MARGIN, _unchanged),
    "distinct eigenvalues": Constraint(_distinct_eigenvalues, _unchanged),
}
