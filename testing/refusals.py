"""Refusals: what a rule refuses by name is no wrong derivative.

A rule may know the first derivative and not the second, or real numbers and not complex ones. Where it says
so in an error of its own, nobody gets a wrong number; a sweep counts that apart from what it checked and from
what failed. The first derivative of a declared case is not excused: a case is declared to be checked.
"""

from __future__ import annotations

from ..core.errors import NotDifferentiableError, UnsupportedArgument
from ..tangents import MissingDerivativeError
from .case import CheckError


def refusal(error: CheckError) -> str | None:
    """The first line of the refusal for which a check failed; None where it failed for something else."""
    cause = error.__cause__
    if isinstance(cause, UnsupportedArgument | NotDifferentiableError | MissingDerivativeError):
        return str(cause).partition("\n")[0]
    return None
