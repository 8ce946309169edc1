"""The error tree.

    ChainRulesError
    ├── NoRuleError(TypeError)                an opaque callable on an active path has no rule
    ├── NotDifferentiableError(TypeError)     a value or argument that has no derivative
    ├── NonScalarOutputError(TypeError)       grad of something that is not a real scalar
    ├── UnsupportedArgument(ValueError)       a rule exists, but not for this argument
    ├── UnsupportedSyntaxError(SyntaxError)   Python that the source engine does not take
    ├── AliasedMutationError(RuntimeError)    a write into memory that something else still sees
    ├── MismatchedPrimalError(TypeError)      tangents of two different primals met
    ├── ShapeMismatch(ValueError)             a tangent is not shaped like its primal
    ├── RegistrationError(ValueError)         a rule cannot be registered as written
    │   └── AmbiguousRuleError                two rules fit a call equally well
    ├── RuleContractError(TypeError)          a rule returned something the contract forbids
    ├── HigherOrderError(RuntimeError)        a derivative of higher order than a rule allows
    └── VerificationError(ExceptionGroup)     everything that keeps a function from being differentiated

Each class is also of the builtin that a NumPy user would catch, and its message has four beats:
what, where, what comes nearest, what to do next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..tangents.errors import ChainRulesError, MismatchedPrimalError, ShapeMismatch

__all__ = [
    "AliasedMutationError",
    "AmbiguousRuleError",
    "ChainRulesError",
    "HigherOrderError",
    "MismatchedPrimalError",
    "NoRuleError",
    "NonScalarOutputError",
    "NotDifferentiableError",
    "RegistrationError",
    "RuleContractError",
    "ShapeMismatch",
    "UnsupportedArgument",
    "UnsupportedSyntaxError",
    "VerificationError",
]


class NoRuleError(ChainRulesError, TypeError):
    """A callable without Python source has no rule, and a derivative must pass through it."""


class NotDifferentiableError(ChainRulesError, TypeError):
    """A derivative was asked of, or with respect to, something that has none."""


class NonScalarOutputError(ChainRulesError, TypeError):
    """A gradient was asked of a function whose output is not a real scalar."""


# fmt: off
_OPERATORS = frozenset((
    "derivative", "derivative_source", "explain", "grad", "hessian", "hvp", "jacobian", "jvp", "linearize",
    "linear_transpose", "value_and_derivative", "value_and_grad", "verify", "vjp",
))
# fmt: on
"""Functions that take arguments themselves, where others take them by a rule."""


class UnsupportedArgument(ChainRulesError, ValueError):
    """A rule exists for the function, but not for this value of this argument.

    Example: >>> raise UnsupportedArgument("numpy.pad", "mode", "wrap", supported=["constant"])
             Traceback (most recent call last):
             ...
             chainrules.core.errors.UnsupportedArgument: the rule for numpy.pad does not take mode='wrap'
               closest: mode='constant'
    """

    def __init__(
        self,
        function: object,
        parameter: str,
        value: object,
        *,
        supported: Sequence[object] = (),
        why: str = "",
        next: str = "",
    ) -> None:
        from .callables import name_of

        name = function if isinstance(function, str) else name_of(function)
        reason = f": {why}" if why else ""
        taker = name if name in _OPERATORS else f"the rule for {name}"
        super().__init__(
            f"{taker} does not take {parameter}={_short(value)}{reason}",
            closest=" or ".join(f"{parameter}={_short(v)}" for v in supported),
            next=next,
        )


class UnsupportedSyntaxError(ChainRulesError, SyntaxError):
    """A statement or expression that the source engine does not differentiate."""

    def __str__(self) -> str:
        return ChainRulesError.__str__(self)


class AliasedMutationError(ChainRulesError, RuntimeError):
    """A write into memory that another live value shares, so that its derivative is undefined."""


class RegistrationError(ChainRulesError, ValueError):
    """A rule cannot be registered as it is written; nothing was registered."""


class AmbiguousRuleError(RegistrationError):
    """Two rules fit the argument types of one call equally well."""


class RuleContractError(ChainRulesError, TypeError):
    """A rule returned something that the rule contract forbids; the message names the rule."""


class HigherOrderError(ChainRulesError, RuntimeError):
    """A derivative of a higher order than the rule or engine supports."""


class VerificationError(ChainRulesError, ExceptionGroup[ChainRulesError]):
    """Several faults of one function, found together before it runs; each is one of `exceptions`."""

    def __new__(cls, what: str, faults: Sequence[ChainRulesError]) -> VerificationError:
        return ExceptionGroup.__new__(cls, what, faults)

    def __init__(self, what: str, faults: Sequence[ChainRulesError]) -> None:
        super().__init__(what, next="go through them from the first to the last")

    def derive(self, faults: Sequence[Any], /) -> Any:
        """A group of some of these faults, for `except*`."""
        return VerificationError(self.what, faults)

    def __str__(self) -> str:
        shown = (str(fault).replace("\n", "\n  ") for fault in self.exceptions)
        return "\n".join([self.what, *(f"  {i}. {text}" for i, text in enumerate(shown, start=1))])

    def __reduce__(self) -> tuple[object, ...]:
        return VerificationError, (self.what, list(self.exceptions))


def _short(value: object, limit: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def copied_otherwise(P: type, name: str = "__reduce__") -> NotDifferentiableError:
    """What to raise of a class that says by such a method how its objects are copied."""
    return NotDifferentiableError(
        f"a {P.__name__} is copied by its own `{name}`, which is not followed",
        closest="objects that Python copies field by field, and classes with a `__copy__` in Python",
        next="make the copy with the class, from its fields",
    )
