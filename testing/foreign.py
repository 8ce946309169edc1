"""Derivatives that are not ours: anything with a value, a pullback and a pushforward can be checked.

JAX's and PyTorch's own derivatives come in through `from_jax` and `from_torch`, which hand them NumPy
arrays and take NumPy arrays back, containers kept, and bring cotangents of complex numbers into the
convention of this library (JAX's are its conjugates). What is checked is what any derivative owes:
value, arity, differences, linearity, the same answer twice, and that the two modes agree. Thunks and
zeros as seeds, kinds and projection belong to our rules alone and are not asked of others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from ..core.callables import name_of
from ..tangents import ZERO, is_zero, materialize
from .case import Case
from .checks import adjoint_identity
from .checks.forward import forward_differences, forward_linear, forward_value
from .checks.reverse import reverse_differences, reverse_linear, reverse_repeatable, reverse_value
from .sources import Pullback


@dataclass(frozen=True)
class Derivatives:
    """A function with derivatives from anywhere: what `check_derivatives` checks.

    `vjp(*x)` gives the value and a pullback, which takes a cotangent like the value and gives a tuple, one
    cotangent for each argument; `jvp(x, dx)` gives the value and its tangent. One of the two may be absent.
    """

    f: Callable[..., Any]
    vjp: Callable[..., tuple[Any, Pullback]] | None = None
    jvp: Callable[[tuple[Any, ...], tuple[Any, ...]], tuple[Any, Any]] | None = None


class _ForeignSource:
    """Derivatives as a source; seeds and tangents reach them written out and plain."""

    asks_needs = False

    def __init__(self, derivatives: Derivatives) -> None:
        self.derivatives = derivatives

    def value(self, *args: Any) -> Any:
        """The function."""
        return self.derivatives.f(*args)

    def reverse(self, args: tuple[Any, ...], needs: tuple[bool, ...]) -> tuple[Any, Pullback] | None:
        """Value and pullback."""
        if self.derivatives.vjp is None:
            return None
        y, pullback = self.derivatives.vjp(*args)
        return y, lambda y_bar: pullback(plain(y_bar, y))

    def forward(self, args: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any] | None:
        """Value and tangent."""
        if self.derivatives.jvp is None:
            return None
        return self.derivatives.jvp(args, tuple(map(plain, tangents, args)))

    def describe(self, mode: str) -> str:
        """The function that gives the derivative."""
        return name_of(self.derivatives.vjp if mode == "reverse" else self.derivatives.jvp)


def check_derivatives(derivatives: Derivatives, *x: Any) -> None:
    """Check derivatives that come from anywhere against differences and against each other.

    Shapes:  any primals; `with_tangent(x, dx)` and settings as for `check_rule`.
    Raises:  AssertionError that names the check, the argument, both numbers and the seed;
             ValueError where neither mode is given.
    Example: >>> cube = Derivatives(lambda x: x**3, vjp=lambda x: (x**3, lambda g: (3 * g * x**2,)))
             >>> check_derivatives(cube, np.array([0.5, -1.0]))
    """
    if derivatives.vjp is None and derivatives.jvp is None:
        raise ValueError("there are no derivatives to check: give vjp=, jvp= or both")
    case = Case("check_derivatives", derivatives.f, x, {}, _ForeignSource(derivatives))
    both = derivatives.vjp is not None and derivatives.jvp is not None
    if derivatives.vjp is not None:
        _run(case, (reverse_value, reverse_repeatable, reverse_linear, reverse_differences))
    if derivatives.jvp is not None:
        _run(case, (forward_value, forward_linear, forward_differences))
    if both:
        adjoint_identity(case)


def from_jax(f: Callable[..., Any]) -> Derivatives:
    """A JAX function with JAX's own derivatives in both modes.

    Raises:  ModuleNotFoundError without JAX. Derivatives are single precision unless jax_enable_x64 is set.
    """
    jax: Any = import_module("jax")

    def out(t: Any) -> Any:
        return jax.tree.map(np.asarray, t)

    def vjp(*x: Any) -> tuple[Any, Pullback]:
        y, pullback = jax.vjp(f, *x)

        def conjugated(y_bar: Any) -> tuple[Any, ...]:
            seed = jax.tree.map(lambda t, like: np.conj(t).astype(like.dtype), y_bar, out(y))
            return tuple(jax.tree.map(np.conj, out(pullback(seed))))

        return out(y), conjugated

    def jvp(x: tuple[Any, ...], dx: tuple[Any, ...]) -> tuple[Any, Any]:
        y, dy = jax.jvp(f, x, dx)
        return out(y), out(dy)

    return Derivatives(_renamed(lambda *x: out(f(*x)), f), vjp, jvp)


def from_torch(f: Callable[..., Any], *, forward: bool = False) -> Derivatives:
    """A PyTorch function, as the `apply` of a `torch.autograd.Function`, with PyTorch's own derivatives.

    `forward` says that it has a forward mode too, which custom functions rarely have.

    Shapes:  arrays and numbers in; a tensor or a tuple of tensors out.
    Raises:  ModuleNotFoundError without PyTorch.
    """
    torch: Any = import_module("torch")

    def into(x: Any) -> Any:
        return torch.tensor(np.asarray(x))

    def out(y: Any) -> Any:
        return tuple(map(out, y)) if isinstance(y, tuple) else y.detach().numpy()

    def value(*x: Any) -> Any:
        return out(f(*map(into, x)))

    def vjp(*x: Any) -> tuple[Any, Pullback]:
        leaves = [into(a).requires_grad_() for a in x]
        y = f(*leaves)
        outputs = y if isinstance(y, tuple) else (y,)

        def pullback(y_bar: Any) -> tuple[Any, ...]:
            seeds = [into(t) for t in (y_bar if isinstance(y, tuple) else (y_bar,))]
            found = torch.autograd.grad(outputs, leaves, seeds, retain_graph=True, allow_unused=True)
            return tuple(ZERO if t is None else t.numpy() for t in found)

        return out(y), pullback

    def jvp(x: tuple[Any, ...], dx: tuple[Any, ...]) -> tuple[Any, Any]:
        ad = torch.autograd.forward_ad
        with ad.dual_level():
            y = f(*(ad.make_dual(into(a), into(t)) for a, t in zip(x, dx, strict=True)))
            pairs = [ad.unpack_dual(t) for t in (y if isinstance(y, tuple) else (y,))]
            values = tuple(out(pair.primal) for pair in pairs)
            moved = tuple(ZERO if pair.tangent is None else out(pair.tangent) for pair in pairs)
        return (values, moved) if isinstance(y, tuple) else (values[0], moved[0])

    return Derivatives(_renamed(value, f), vjp, jvp if forward else None)


def plain(t: Any, like: Any) -> Any:
    """A tangent as others have it: zeros written out, in a container like that of its primal.

    Example: >>> plain(Composite[tuple](1.0, Zero()), (2.0, np.ones(2)))
             (1.0, array([0., 0.]))
    """
    if isinstance(like, dict):
        return {key: plain(t if is_zero(t) else t[key], part) for key, part in like.items()}
    if isinstance(like, tuple | list):
        given = [t] * len(like) if is_zero(t) else t
        items = [plain(item, part) for item, part in zip(given, like, strict=True)]
        return type(like)(*items) if hasattr(like, "_fields") else type(like)(items)
    return materialize(t, like=like)


def _run(case: Case, checks: tuple[Callable[[Case], None], ...]) -> None:
    for check in checks:
        check(case)


def _renamed(f: Callable[..., Any], like: Any) -> Callable[..., Any]:
    """f under the name of what it stands for, in messages; `apply` of a class under the class's."""
    owner = getattr(like, "__self__", like)
    shown = owner if isinstance(owner, type) else like
    f.__name__ = f.__qualname__ = getattr(shown, "__qualname__", type(like).__name__)
    f.__module__ = getattr(shown, "__module__", None) or f.__module__
    return f
