"""The root of the error tree and the errors that the tangents themselves raise.

Every message has four beats: what went wrong, where, what comes nearest, what to do next.
The beats are attributes, so that an engine that knows more (the chain of calls, the line) can
add it before the user reads the message. The rest of the tree is drawn in `core/errors.py`.
"""

from __future__ import annotations


class ChainRulesError(Exception):
    """Root of every error that chainrules raises on purpose.

    Example: >>> str(ChainRulesError("no rule for f", next="register one with @rrule(f)"))
             'no rule for f\\n  next: register one with @rrule(f)'
    """

    def __init__(self, what: str, *, where: str = "", closest: str = "", next: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.closest = closest
        self.next = next

    def __str__(self) -> str:
        lines = [self.what]
        if self.where:
            lines.append(f"  {self.where}")
        if self.closest:
            lines.append(f"  closest: {self.closest}")
        if self.next:
            lines.append(f"  next: {self.next}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        beats = {"where": self.where, "closest": self.closest, "next": self.next}
        return _rebuild, (type(self), self.what, beats)


def _rebuild(cls: type[ChainRulesError], what: str, beats: dict[str, str]) -> ChainRulesError:
    error = cls.__new__(cls)
    ChainRulesError.__init__(error, what, **beats)
    return error


class MismatchedPrimalError(ChainRulesError, TypeError):
    """Tangents of two different primal types met, which cannot happen in a right program."""


class ShapeMismatch(ChainRulesError, ValueError):
    """A tangent does not have the shape of its primal."""


class MissingDerivativeError(ChainRulesError, NotImplementedError):
    """The value of a `NotImplementedTangent` was needed: the mathematics exists, the code does not."""
