"""Manifolds: the sphere, orthogonal matrices, symmetric positive definite matrices, the open simplex.

                   tangents                         moved along t by                       metric
    Sphere         arrays with ⟨x, t⟩ = 0           cos|t| x + sin|t| t/|t|                of the space around
    Orthogonal     SkewSymmetric Ω, Ẇ = W Ω         W exp(Ω)                               Tr ΩᵀΩ
    Definite       Symmetric                        P^½ exp(P^-½ t P^-½) P^½               Tr P⁻¹t P⁻¹t
    Simplex        arrays with Σ t = 0              x exp(t/x), normalised                 Σ t²/x

[Absil, Mahony, Sepulchre 2008, §3–5; Pennec, Fillard, Ayache 2006 for the affine-invariant metric; Amari
2016, §2 for the simplex.] A program reads the numbers through one attribute (`point`, `matrix`, `weights`),
whose rules bring what comes back into the tangent space, so that inside, too, a cotangent of a manifold is of
its tangent type. For a tangent that is not one, the nearest is taken. Antipodes of a sphere, which no one
geodesic joins, are refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.callables import attribute
from ..core.decorators import frule, rrule
from ..core.errors import ChainRulesError, ShapeMismatch
from ..core.registry import register
from ..tangents import NO_TANGENT, ZERO, Composite, fields_of
from ..tangents.containers import mismatched
from .matrices import SkewSymmetric, Symmetric
from .spaces import manifold


class _Points:
    """What the manifolds share: one array under one name, which is never written to."""

    __slots__ = ("__weakref__", "_value")
    _name: str

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and np.array_equal(self._value, other._value)

    def __hash__(self) -> int:
        return hash((type(self), self._value.tobytes()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._value!r})"

    _value: Any


def _refused(P: type, what: str, next: str) -> ChainRulesError:
    return ChainRulesError(f"this is no {P.__name__}: {what}", next=next)


def _own(P: Any, x: Any, value: Any) -> Any:
    """A point of the class of x that is known to be one."""
    made: Any = object.__new__(type(x))
    made._value = value
    return made


_ways: dict[Any, tuple[Any, Any]] = {}
"""For each manifold: from cotangents of the space around to its own, and from its tangents to those."""


@frule(_own)
def own_frule(tangents: Any, P: object, x: object, value: np.ndarray) -> Any:
    """ẏ is the tangent of the numbers, as one of the manifold"""
    y = _own(P, x, value)
    return y, _ways[P][0](y, tangents[2])


@rrule(_own)
def own_rrule(P: object, x: object, value: np.ndarray) -> Any:
    """The cotangent of the numbers is that of the point, in the space around"""
    y = _own(P, x, value)

    def own_pullback(y_bar: Any) -> Any:
        return NO_TANGENT, ZERO, _ways[P][1](y, y_bar)

    return y, own_pullback


class Sphere(_Points):
    """A point of the unit sphere, `point`.

    Raises:  ChainRulesError for a point that is not of length one, up to 1e-6.
    Example: >>> cr.move(Sphere([1.0, 0.0]), np.array([0.0, np.pi / 2])).point.round(12)
             array([0., 1.])
    """

    __slots__ = ()

    def __init__(self, point: Any) -> None:
        x = np.array(point, float)
        if x.ndim != 1 or abs(np.linalg.norm(x) - 1.0) > 1e-6:
            raise _refused(
                Sphere, f"an array of shape {x.shape}, norm {np.linalg.norm(x)}", "divide by the norm"
            )
        self._value = x / np.linalg.norm(x)

    @property
    def point(self) -> Any:
        """The point, an array of norm one."""
        return self._value


class Orthogonal(_Points):
    """An orthogonal matrix, `matrix`: WᵀW = 1.

    Raises:  ChainRulesError for a matrix that is not orthogonal, up to 1e-6.
    Example: >>> a = np.array([[1.0, 2.0], [3.0, 4.0]])
             >>> cr.grad(lambda w: np.sum(a * w.matrix))(Orthogonal(np.eye(2)))
             SkewSymmetric(array([[ 0. , -0.5],
                   [ 0.5,  0. ]]))
    """

    __slots__ = ()

    def __init__(self, matrix: Any) -> None:
        w = np.array(matrix, float)
        if (
            w.ndim != 2
            or w.shape[0] != w.shape[1]
            or np.abs(w.T @ w - np.eye(len(w))).max(initial=0.0) > 1e-6
        ):
            raise _refused(Orthogonal, "WᵀW is not 1", "take the factor Q of a QR decomposition")
        self._value = w

    @property
    def matrix(self) -> Any:
        """The matrix."""
        return self._value


class Definite(_Points):
    """A symmetric positive definite matrix, `matrix`.

    Raises:  ChainRulesError for a matrix that is not symmetric, or not positive definite.
    Example: >>> cr.move(Definite([[2.0]]), Symmetric([[-100.0]])).matrix > 0
             array([[ True]])
    """

    __slots__ = ()

    def __init__(self, matrix: Any) -> None:
        p = np.array(matrix, float)
        square = p.ndim == 2 and p.shape[0] == p.shape[1]
        if not square or not np.allclose(p, p.T, rtol=1e-10, atol=0.0):
            raise _refused(Definite, "the matrix is not symmetric", "take (a + a.T) / 2")
        if np.linalg.eigvalsh(p).min(initial=1.0) <= 0:
            raise _refused(Definite, "an eigenvalue is not positive", "add a multiple of the identity")
        self._value = (p + p.T) / 2

    @property
    def matrix(self) -> Any:
        """The matrix."""
        return self._value


class Simplex(_Points):
    """Positive weights whose sum is one, `weights`.

    Raises:  ChainRulesError where a weight is not positive, or the sum is not one, up to 1e-6.
    Example: >>> cr.grad(lambda p: p.weights[0])(Simplex([0.25, 0.75]))
             array([ 0.5, -0.5])
    """

    __slots__ = ()

    def __init__(self, weights: Any) -> None:
        x = np.array(weights, float)
        if x.ndim != 1 or np.any(x <= 0) or abs(x.sum() - 1.0) > 1e-6:
            raise _refused(Simplex, f"weights of sum {x.sum()}", "divide positive weights by their sum")
        self._value = x / x.sum()

    @property
    def weights(self) -> Any:
        """The weights, a vector."""
        return self._value


def _tangential(x: Any, v: Any) -> Any:
    """v less what points along x: P v = v − ⟨x, v⟩ x."""
    return v - np.sum(x.point * v) * x.point


def _rotating(w: Any, v: Any) -> Any:
    """The skew-symmetric part of Wᵀ v."""
    return SkewSymmetric(np.swapaxes(w.matrix, 0, 1) @ v)


def _centred(x: Any, v: Any) -> Any:
    """v less its mean, which no change within the simplex sees."""
    return v - np.mean(v)


def _project(name: str, bring: Any) -> Any:
    def project(x: Any, t: Any) -> Any:
        if isinstance(t, (SkewSymmetric, Symmetric)):
            return t
        if isinstance(t, Composite):
            given = fields_of(t)
            if not isinstance(given, dict) or set(given) - {name, "_value"}:
                raise mismatched(x, t, "projected on one another")
            t = given.get(name, given.get("_value"))
        v = np.asarray(t, float)
        if v.shape != getattr(x, name).shape:
            raise ShapeMismatch(
                f"a tangent of shape {v.shape} is none of a {type(x).__name__} of {getattr(x, name).shape}"
            )
        return bring(x, v)

    return project


def _move_on_sphere(x: Any, t: Any) -> Any:
    """cos|t| x + sin|t| t/|t|"""
    v = _tangential(x, np.asarray(t, float))
    angle = float(np.linalg.norm(v))
    y = np.cos(angle) * x.point + np.sinc(angle / np.pi) * v
    return _own(Sphere, x, y / np.linalg.norm(y))


def _between_on_sphere(a: Any, b: Any) -> Any:
    """The tangent at b whose geodesic ends in a"""
    v = _tangential(b, a.point)
    sine, cosine = float(np.linalg.norm(v)), float(a.point @ b.point)
    if sine < 1e-12:
        if cosine < 0:
            raise ChainRulesError(
                "antipodes of a sphere are joined by many geodesics", next="go there in two steps"
            )
        return v
    return v * (np.arctan2(sine, cosine) / sine)


def _exp(a: Any) -> Any:
    from scipy.linalg import expm

    return expm(a)


@frule(_exp)
def exp_frule(tangents: Any, a: np.ndarray) -> Any:
    """L(A, Ȧ), the Fréchet derivative [Al-Mohy & Higham 2009]"""
    from scipy.linalg import expm_frechet

    return expm_frechet(a, tangents[0])


@rrule(_exp)
def exp_rrule(a: np.ndarray) -> Any:
    """Ā = L(Aᵀ, Ȳ)"""

    def exp_pullback(y_bar: Any) -> Any:
        from scipy.linalg import expm_frechet

        return (expm_frechet(a.T, y_bar, compute_expm=False),)

    return _exp(a), exp_pullback


def _move_orthogonal(w: Any, t: Any) -> Any:
    """W exp(Ω), and one step of Newton's iteration Y (3 − YᵀY)/2 for the rounding"""
    y = w.matrix @ _exp(t.matrix)
    return _own(Orthogonal, w, y @ (3 * np.eye(len(y)) - y.T @ y) / 2)


def _between_orthogonal(a: Any, b: Any) -> Any:
    """log(Bᵀ A)"""
    from scipy.linalg import logm

    rotation = b.matrix.T @ a.matrix
    if np.linalg.det(rotation) < 0:
        raise ChainRulesError(
            "no tangent leads from a rotation to a reflection", next="change the sign of a column of one"
        )
    return SkewSymmetric(np.real(logm(rotation)))


def _roots(p: Any) -> tuple[Any, Any]:
    """P^½ and P^-½"""
    values, vectors = np.linalg.eigh(p)
    root = np.sqrt(values)
    return (vectors * root) @ vectors.T, (vectors / root) @ vectors.T


def _of_symmetric(function: Any, a: Any) -> Any:
    values, vectors = np.linalg.eigh((a + a.T) / 2)
    return (vectors * function(values)) @ vectors.T


def _move_definite(p: Any, t: Any) -> Any:
    """P^½ exp(P^-½ t P^-½) P^½"""
    root, inverse = _roots(p.matrix)
    y = root @ _of_symmetric(np.exp, inverse @ t.matrix @ inverse) @ root
    return _own(Definite, p, (y + y.T) / 2)


def _between_definite(a: Any, b: Any) -> Any:
    """P^½ log(P^-½ A P^-½) P^½ at P = b"""
    root, inverse = _roots(b.matrix)
    return Symmetric(root @ _of_symmetric(np.log, inverse @ a.matrix @ inverse) @ root)


def _move_in_simplex(x: Any, t: Any) -> Any:
    """x exp(t/x), normalised"""
    exponent = _centred(x, np.asarray(t, float)) / x.weights
    y = x.weights * np.exp(exponent - exponent.max())
    y = np.maximum(y, np.finfo(float).tiny)
    return _own(Simplex, x, y / y.sum())


def _between_in_simplex(a: Any, b: Any) -> Any:
    """x (u − Σ x u), u = log(y/x) at x = b: of sum zero, and x exp(t/x) is y up to the factor"""
    u = np.log(a.weights / b.weights)
    return b.weights * (u - np.sum(b.weights * u))


def _declare(P: Any, name: str, tangent: type, bring: Any, embed: Any, **ways: Any) -> None:
    """The manifold P, and the rules of the attribute that it is read through."""
    manifold(P, tangent=tangent, project=_project(name, bring), **ways)
    _ways[P] = bring, embed

    def point_frule(tangents: Any, x: object) -> Any:
        """ẏ is the tangent as one of the space around"""
        return getattr(x, name), embed(x, tangents[0])

    def point_rrule(x: object) -> Any:
        """x̄ is the part of ȳ within the tangent space"""

        def point_pullback(y_bar: Any) -> Any:
            return bring(x, y_bar)

        return getattr(x, name), point_pullback

    register(attribute(name), point_frule, "forward", types=(P,))
    register(attribute(name), point_rrule, "reverse", types=(P,))


_declare(
    Sphere, "point", np.ndarray, _tangential, _tangential,
    zero=lambda x: np.zeros_like(x.point), move=_move_on_sphere, difference=_between_on_sphere,
)  # fmt: skip
_declare(
    Orthogonal, "matrix", SkewSymmetric, _rotating, lambda w, t: w.matrix @ t.matrix,
    zero=lambda w: SkewSymmetric.zero(len(w.matrix)), move=_move_orthogonal, difference=_between_orthogonal,
)  # fmt: skip
_declare(
    Definite, "matrix", Symmetric, lambda p, v: Symmetric(v), lambda p, t: t.matrix,
    zero=lambda p: Symmetric.zero(len(p.matrix)), move=_move_definite, difference=_between_definite,
    metric=lambda p, g: Symmetric(p.matrix @ g.matrix @ p.matrix),
)  # fmt: skip
_declare(
    Simplex, "weights", np.ndarray, _centred, _centred,
    zero=lambda x: np.zeros_like(x.weights), move=_move_in_simplex, difference=_between_in_simplex,
    metric=lambda x, g: x.weights * (g - np.sum(x.weights * g)),
)  # fmt: skip
