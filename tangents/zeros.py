"""The tangents that carry no numbers: `Zero`, `NoTangent` and `NotImplementedTangent`.

`Zero()` says that a perturbation is legal and changes nothing; it is the zero of every primal.
`NoTangent()` says that the value cannot be perturbed at all: an index, a flag, a name.
`NotImplementedTangent(why)` says that the derivative exists and nobody has written it; it absorbs
every addition, so that the gap is reported by whoever needs the number, not hidden by a sum.

Among themselves: in a sum `NotImplementedTangent` wins over `NoTangent`, and that over `Zero`; in
a product a zero wins, so that a gap which is multiplied by zero is forgotten. The two zeros are
singletons through `copy` and `pickle`. Only `Zero() == Zero()` holds: a zero is not equal to 0.0.
Absent on purpose: shape and dtype (`materialize(t, like=x)` gives those), and division by a zero.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn, Self

from .errors import ChainRulesError, MissingDerivativeError


class _NoNumbers:
    """What both zeros share: one instance, falsy, and an algebra that asks nothing of the other side."""

    __slots__ = ()
    __array_ufunc__ = None
    # Without this, `__getitem__` alone would make a zero an endless sequence of zeros.
    __iter__: ClassVar[None] = None

    _instance: ClassVar[Any] = None

    def __new__(cls) -> Self:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance  # type: ignore[no-any-return]  # Self of each subclass

    def __reduce__(self) -> tuple[type[Self], tuple[()]]:
        return type(self), ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def __neg__(self) -> Self:
        return self

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> Self:
        return self

    def __getitem__(self, index: object) -> Self:
        return self

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        raise ChainRulesError(
            f"{self!r} has no shape, so it cannot become an array",
            next="give it the shape of its primal: materialize(t, like=x)",
        )

    def conjugate(self) -> Self:
        """The zero itself."""
        return self


class Zero(_NoNumbers):
    """The zero tangent of every primal: perturbing the value changes nothing.

    Example: >>> x = np.ones(3)
             >>> (x + Zero()) is x, 3.0 * Zero(), bool(Zero())
             (True, Zero(), False)
    """

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return -other

    def __rsub__(self, other: Any) -> Any:
        return other

    def __mul__(self, other: Any) -> Any:
        return self

    __rmul__ = __matmul__ = __rmatmul__ = __truediv__ = __mul__


class NoTangent(_NoNumbers):
    """The tangent of what cannot be perturbed: an index, a flag, a string.

    Example: >>> NoTangent() + Zero(), NoTangent() + 2.0
             (NoTangent(), 2.0)
    """

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return self if other is ZERO else other

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self if other is ZERO else -other

    def __rsub__(self, other: Any) -> Any:
        return self if other is ZERO else other

    def __mul__(self, other: Any) -> Any:
        return ZERO if other is ZERO else self

    __rmul__ = __matmul__ = __rmatmul__ = __mul__

    def __truediv__(self, other: Any) -> Self:
        return self


ZERO = Zero()
NO_TANGENT = NoTangent()


class NotImplementedTangent:
    """A derivative that exists and that no rule computes yet; using its value raises, naming `why`.

    Raises:  MissingDerivativeError when the number is needed: `float`, `np.asarray`, `inner`, `materialize`.
    Example: >>> NotImplementedTangent("order of besselj") + 1.0
             NotImplementedTangent('order of besselj')
    """

    __slots__ = ("why",)
    __array_ufunc__ = None

    def __init__(self, why: str) -> None:
        self.why = why

    def __repr__(self) -> str:
        return f"NotImplementedTangent({self.why!r})"

    def __add__(self, other: Any) -> Self:
        return self

    __radd__ = __sub__ = __rsub__ = __add__

    def __mul__(self, other: Any) -> Any:
        return other if is_zero(other) else self

    __rmul__ = __matmul__ = __rmatmul__ = __mul__

    def __truediv__(self, other: Any) -> Self:
        return self

    def __neg__(self) -> Self:
        return self

    def __pos__(self) -> Self:
        return self

    def conjugate(self) -> Self:
        """Itself: the conjugate of an unknown is as unknown."""
        return self

    def refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise: somebody needs the number that is not there."""
        raise MissingDerivativeError(
            f"this derivative is not implemented: {self.why}",
            next="do not differentiate with respect to this argument, or register a rule that knows it",
        )

    __float__ = __int__ = __complex__ = __bool__ = __abs__ = __array__ = __getitem__ = __iter__ = refuse


def is_zero(t: Any) -> bool:
    """Whether t is one of the two zeros, `Zero()` or `NoTangent()`.

    Example: >>> is_zero(Zero()), is_zero(NoTangent()), is_zero(0.0)
             (True, True, False)
    """
    return t is ZERO or t is NO_TANGENT
