"""Write docs/conventions.md: the derivatives at the points where they are a decision, ours beside others'.

    python scripts/conventions.py        needs JAX, PyTorch and HIPS autograd, for their columns

Each number is computed here, from the rules themselves; a test holds the page to our column.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import chainrules as cr

sys.path.insert(0, str(Path(__file__).parents[1]))
from scripts.convention_point import Point
from scripts.convention_points import GROUPS

os.environ.setdefault("JAX_ENABLE_X64", "1")  # read when JAX is imported
PAGE = Path(__file__).parents[1] / "docs" / "conventions.md"
HEAD = """# Conventions: the derivative where it is a decision

At a tie, a corner, a zero, the edge of a domain or a repeated eigenvalue there is no derivative, or more
than one. Each rule decides and says so in its docstring. The principles:

- **A zero cotangent gives zero**, whatever the partial derivative: `0 · sqrt(x)` at 0 has the gradient
  0, not `nan`, and a branch that is not taken contributes nothing. A zero tangent likewise; but where
  forward mode has an infinite tangent already, a later factor 0 makes it `nan`.
- **Ties are shared equally** among those that tie. Where the order of equals is defined, as in sorting,
  the order decides; within its bounds, the bounds included, `clip` is the identity.
- **A corner has the middle of its one-sided slopes** (`abs` at 0: 0), a step has derivative 0
  everywhere.
- **An infinite slope is infinite** (`sqrt` at 0), with the sign of the side that is in the domain. Debug
  mode says where it came from.
- **What the derivative cannot settle is refused**, by name: eigenvectors of a repeated eigenvalue have
  no derivative, and a number in its place would be wrong for whatever is computed from it. What does not
  depend on their choice is computed.
- **A removable singularity is removed** (`spence` at 1), and at a pole the slope is infinite where its sign
  is plain, else `nan`.
- **On a branch cut the derivative stands on the side of the value**: that which the sign of the zero in the
  imaginary part says, where SciPy reads it.

The numbers below are gradients with respect to each argument, computed by the rules as they stand and,
beside them, by JAX {jax} and PyTorch {torch} in double precision; those of special functions by HIPS
autograd {autograd}, too. An error is shown by its class; — says that there is no such function, or no
derivative by all arguments.

"""
FOOT = """
`python scripts/conventions.py` writes this page; the points are in `scripts/convention_points.py`. The suite
compares our column with the rules, and forward mode with reverse.
"""


def namespace(point: Point) -> Any:
    """The module whose functions a point is written in."""
    return import_module(f"scipy.{point.part}") if point.part else np


def ours(point: Point) -> str:
    """The gradient by our rules."""
    return _shown(lambda: _gradients(point))


def _gradients(point: Point) -> list[Any]:
    argnums = tuple(range(1, len(point.x) + 1))
    return list(cr.grad(point.f, argnums=argnums)(namespace(point), *map(_array, point.x)))


def ours_forward(point: Point) -> str:
    """The same, entry by entry in forward mode."""

    def entries() -> list[Any]:
        x = [_array(v) for v in point.x]
        found = []
        for i, v in enumerate(x):
            slopes = np.zeros(np.shape(v))
            for index in np.ndindex(np.shape(v)):
                tangents = [np.zeros(np.shape(w))[()] for w in x]
                unit = np.zeros(np.shape(v))
                unit[index] = 1.0
                tangents[i] = unit[()]
                f, space = point.f, namespace(point)
                dy = cr.jvp(lambda *x, f=f, space=space: f(space, *x), tuple(x), tuple(tangents))[1]
                if isinstance(dy, cr.NotImplementedTangent):  # what grad refuses
                    raise cr.NotDifferentiableError(str(dy))
                slopes[index] = cr.materialize(dy, like=1.0)
            found.append(slopes[()])
        return found

    return _shown(entries)


def by_jax(point: Point) -> str:
    """The gradient by JAX."""
    import jax

    space = import_module(f"jax.scipy.{point.part}" if point.part else "jax.numpy")
    argnums = tuple(range(len(point.x)))
    x = [jax.numpy.asarray(v) for v in point.x]
    return _shown(lambda: jax.grad(lambda *x: point.f(space, *x), argnums=argnums)(*x))


def by_torch(point: Point) -> str:
    """The gradient by PyTorch, zeros where it says that there is no dependence."""
    import torch

    x = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in point.x]
    f = point.torch or point.f

    def gradients() -> list[Any]:
        y = f(import_module(f"torch.{point.part}") if point.part else torch, *x)
        if not y.requires_grad:
            return [torch.zeros_like(v) for v in x]
        found = torch.autograd.grad(y, x, allow_unused=True)
        return [torch.zeros_like(v) if g is None else g for v, g in zip(x, found, strict=True)]

    return _shown(gradients)


def by_autograd(point: Point) -> str:
    """The gradient by HIPS autograd, of a function of a part of SciPy."""
    import autograd

    space = import_module(f"autograd.scipy.{point.part}")
    x = [_array(v) for v in point.x]
    return _shown(lambda: [autograd.grad(lambda *x: point.f(space, *x), i)(*x) for i in range(len(x))])


def _array(v: Any) -> Any:
    return np.asarray(v) if isinstance(v, list) else v


def _shown(gradients: Any) -> str:
    """Numbers as a row of the table has them, or the class of the error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return ", ".join(_number(g) for g in gradients())
        except (AttributeError, NotImplementedError):
            return "—"
        except Exception as error:  # a refusal is an answer
            return f"{type(error).__name__}"


def _number(g: Any) -> str:
    a = np.asarray(getattr(g, "detach", lambda: g)(), dtype=float)
    if a.ndim == 0:
        return f"{float(a) + 0.0:.4g}"
    return "(" + ", ".join(_number(row) for row in a) + ")"


def page() -> str:
    """The page as it should be now."""
    import jax
    import torch

    text = HEAD.format(
        jax=jax.__version__, torch=torch.__version__.partition("+")[0], autograd=version("autograd")
    )
    for group, points in GROUPS.items():
        others = {"JAX": by_jax, "PyTorch": by_torch} | ({"autograd": by_autograd} if points[0].part else {})
        text += f"## {group}\n\n| function | at | chainrules | {' | '.join(others)} |\n"
        text += "|---|---|---|" + "---|" * len(others) + "\n"
        for p in points:
            cells = (f"`{p.call}`", p.at, ours(p), *(by(p) for by in others.values()))
            text += "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"
        text += "\n"
    return text.rstrip() + "\n" + FOOT


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
