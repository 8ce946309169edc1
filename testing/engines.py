"""A suite of programs for any engine: what an engine must get right, or refuse, told program by program.

Each program is plain Python over NumPy with its point and the deepest order that is asked of it. An
engine passes a program when its derivatives are what differences say; a program that it refuses
with one of `REFUSALS` is told as refused, which is no failure: a wrong number is one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import numpy as np

from ..core import Engine, engine_or_default
from ..core.errors import (
    AliasedMutationError,
    HigherOrderError,
    NoRuleError,
    NotDifferentiableError,
    UnsupportedArgument,
    UnsupportedSyntaxError,
)
from .api import check_grads
from .case import CheckError

REFUSALS = (
    AliasedMutationError,
    HigherOrderError,
    NoRuleError,
    NotDifferentiableError,
    UnsupportedArgument,
    UnsupportedSyntaxError,
)
"""The errors by which an engine says that it will not differentiate a program."""


class Program(NamedTuple):
    """A function, a point, and the order up to which it is checked."""

    f: Callable[..., Any]
    x: tuple[Any, ...]
    order: int = 1


class ProgramOutcome(NamedTuple):
    """What became of one program; `why` holds the message where it did not pass."""

    name: str
    status: Literal["passed", "refused", "failed"]
    why: str = ""


def chain(x: Any) -> Any:
    """A chain of elementwise functions."""
    return np.exp(np.sin(x)) * np.tanh(x)


def reused(x: Any, y: Any) -> Any:
    """Values used several times, so that cotangents add up."""
    z = x * y
    return z * z + x - y * z


def broadcast(a: Any, b: Any, s: Any) -> Any:
    """A matrix, a row and a number in one expression."""
    return (a + b) * s


def products(a: Any, b: Any) -> Any:
    """Matrix products and a transpose."""
    return a.T @ (a @ b)


def unused(x: Any, y: Any) -> Any:
    """An argument that the value does not depend on."""
    return 2.0 * x


def entries(x: Any) -> Any:
    """Indices and slices, one of them twice."""
    return x[0] * x[1:] + x[0]


def branch(x: Any) -> Any:
    """A branch on a value."""
    if np.sum(x) > 0:
        return x * x
    return -x


def loop(x: Any) -> Any:
    """A loop that carries a value."""
    y = x
    for k in range(3):
        y = np.sin(y) + k * x
    return y


def several(x: Any) -> Any:
    """Two outputs."""
    return np.sum(x), x * x


def pieces(pair: Any) -> Any:
    """A container as the argument."""
    a, b = pair
    return a * b


def written(x: Any) -> Any:
    """An array of its own, written into."""
    y = np.zeros(3)
    y[0] = x[0] * x[1]
    y[1:] = x[1:]
    return y * y


def modulus(z: Any) -> Any:
    """A complex argument and a real value."""
    return np.sum(np.abs(z) ** 2) + np.real(z[0] * z[1])


_X, _A = np.array([0.5, -1.2, 2.0]), np.array([[1.0, 2.0, -0.3], [-0.5, 0.3, 0.8]])

PROGRAMS = (
    Program(chain, (_X,), 2),
    Program(chain, (0.7,), 2),
    Program(reused, (1.5, -0.4), 2),
    Program(broadcast, (_A, _X, 0.5), 2),
    Program(products, (_A, _X), 2),
    Program(unused, (_X, 2.0)),
    Program(entries, (_X,), 2),
    Program(branch, (_X,)),
    Program(branch, (-_X,)),
    Program(loop, (_X,), 2),
    Program(several, (_X,)),
    Program(pieces, ((_X, 2.0),)),
    Program(written, (_X,)),
    Program(modulus, (np.array([0.5 + 1j, -1.2 - 0.3j]),)),
)


def run_engine(
    engine: Engine | str | None = None,
    programs: tuple[Program, ...] = PROGRAMS,
    *,
    modes: tuple[str, ...] = ("fwd", "rev"),
) -> list[ProgramOutcome]:
    """The outcome of each program, in their order; any other error is a failure.

    Example: >>> [o.status for o in run_engine(programs=PROGRAMS[:2])]
             ['passed', 'passed']
    """
    chosen = engine_or_default(engine)
    return [_outcome(chosen, program, modes) for program in programs]


def check_engine(
    engine: Engine | str | None = None,
    programs: tuple[Program, ...] = PROGRAMS,
    *,
    modes: tuple[str, ...] = ("fwd", "rev"),
    refused: tuple[str, ...] = (),
) -> None:
    """Check an engine over a suite of programs; by default the default one over the programs here.

    Shapes:  `refused` names programs that the engine may refuse.
    Raises:  AssertionError with one line for each program that failed or was refused unannounced.
    Example: >>> check_engine(programs=PROGRAMS[:2])
    """
    chosen = engine_or_default(engine)
    outcomes = run_engine(chosen, programs, modes=modes)
    bad = [o for o in outcomes if o.status == "failed" or (o.status == "refused" and o.name not in refused)]
    if bad:
        lines = [f"{o.name} {o.status}: {o.why}" for o in bad]
        raise CheckError(
            f"check_engine of {type(chosen).__name__}: {len(bad)} of {len(outcomes)} programs\n"
            + "\n".join(lines)
        )


def _outcome(engine: Engine, program: Program, modes: tuple[str, ...]) -> ProgramOutcome:
    name = getattr(program.f, "__name__", repr(program.f))
    try:
        check_grads(program.f, *program.x, order=program.order, modes=modes, engine=engine)
    except (CheckError, *REFUSALS) as error:
        refusal = isinstance(error, REFUSALS) or isinstance(error.__cause__, REFUSALS)
        return ProgramOutcome(name, "refused" if refusal else "failed", str(error))
    except Exception as error:  # whatever it raises is a finding, and the other programs go on
        return ProgramOutcome(name, "failed", f"{type(error).__name__}: {error}")
    return ProgramOutcome(name, "passed")
