"""The two roles of a type: a value, whose differential is returned, or a pointer, whose differential is
given.

The differential of a value is made, copied, split and added by whoever differentiates: it starts as
`T.Differential()` or `Zero()`. That of a pointer is a second pointer that the caller supplies; nobody makes
one, adds two, or calls one zero. A class has one of the two roles. A class without either is a value.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from ..core.errors import ChainRulesError, NotDifferentiableError, RegistrationError
from ..tangents import add
from ..tangents.registered import Natural, naturals
from .pairs import accumulate_by


class MissingDifferentialError(ChainRulesError, TypeError):
    """A pointer came without the differential that only its caller can supply."""


class RoleError(RegistrationError, TypeError):
    """A class is declared a value and a pointer."""


class DifferentiableBase:
    """What both roles share."""

    __slots__ = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if len({vars(base)["__role__"] for base in cls.__mro__ if "__role__" in vars(base)}) > 1:
            raise RoleError(
                f"{cls.__qualname__} is declared a value and a pointer, and no type is both",
                closest="the differential of a value is returned, that of a pointer supplied by the caller",
                next=f"derive {cls.__qualname__} from DifferentiableValue or from DifferentiablePtr",
            )


class DifferentiableValue(DifferentiableBase):
    """The role of a type whose differential is returned. Types without a role are values too.

    Example: >>> issubclass(DifferentiableValue, DifferentiableBase)
             True
    """

    __slots__ = ()
    __role__ = "value"
    Differential: ClassVar[Any]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "use_bwd" in vars(cls) and isinstance(getattr(cls, "Differential", None), type):
            accumulate_by(cls.Differential, vars(cls)["use_bwd"])


IDifferentiable = DifferentiableValue
"""The older name of the role."""


class SelfTangent(DifferentiableValue):
    """A value whose tangents are of its own type, as those of a float are."""

    __slots__ = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.Differential = cls


class DifferentiablePtr(DifferentiableBase):
    """The role of a type whose differential is a second object of it, written through and never made.

    Raises:  NotDifferentiableError when two are added, one is scaled, or a zero of one is asked for.
    """

    __slots__ = ()
    __role__ = "pointer"

    def __add__(self, other: Any) -> Any:
        raise no_vectors(type(self), "added")

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        raise no_vectors(type(self), "subtracted")

    def __mul__(self, other: Any) -> Any:
        raise no_vectors(type(self), "scaled")

    __rmul__ = __mul__


def no_vectors(P: type, doing: str) -> NotDifferentiableError:
    """The error for a pointer that somebody takes for a vector."""
    return NotDifferentiableError(
        f"a {P.__qualname__} is a pointer and cannot be {doing}",
        closest="what it points to has tangents: a differential of that lies where a second pointer points",
        next="make the second pointer yourself and give both: diff_pair(pointer, differential)",
    )


def missing_differential(P: type) -> MissingDifferentialError:
    """The error for a pointer whose caller supplied no differential."""
    return MissingDifferentialError(
        f"the {P.__qualname__} has no differential, and nobody but its caller can make one",
        closest="a value's differential starts as zero, a pointer's is where the caller wants it",
        next="make a pointer into a buffer of your own, and give both: bwd_diff(f)(diff_pair(pointer, mine))",
    )


def _no_zero(x: Any) -> NoReturn:
    raise missing_differential(type(x))


@add.dispatch
def add_pointers(a: DifferentiablePtr, b: DifferentiablePtr) -> Any:
    """Refused: a pointer is no vector."""
    raise no_vectors(type(a), "added")


def _no_tangent(x: Any, t: Any) -> NoReturn:
    raise no_vectors(type(x), "moved, projected on or subtracted")


naturals.set(
    DifferentiablePtr, Natural(DifferentiablePtr, _no_zero, _no_tangent, _no_tangent, None, _no_tangent)
)
