"""What is registered for a type: natural tangents, converters of properties, constructors, metrics."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.linalg import lapack

import chainrules as cr
from chainrules.tangents.registered import ByType


@dataclass
class Ticks:
    value: int


@dataclass
class DateTime:
    """A date and time as a class of its own: milliseconds since an epoch."""

    instant: Ticks


def _span(t: Any) -> timedelta:
    return timedelta(milliseconds=float(cr.materialize(t.instant, Ticks(0)).value))


cr.natural_tangent(
    DateTime,
    timedelta,
    move=lambda x, t: DateTime(Ticks(x.instant.value + t // timedelta(milliseconds=1))),
    difference=lambda a, b: timedelta(milliseconds=a.instant.value - b.instant.value),
    from_structural=_span,
)


@dataclass
class Sample:
    time: DateTime
    value: float


def structural(milliseconds: float) -> Any:
    return cr.Composite[DateTime](instant=cr.Composite[Ticks](value=milliseconds))


@pytest.mark.parametrize("swap", [False, True])
def test_cr21_natural_and_structural_tangents_of_one_primal_add(swap: bool) -> None:
    a, b = timedelta(days=1), structural(1000.0)
    assert (cr.add(b, a) if swap else cr.add(a, b)) == timedelta(seconds=86401)


def test_cr23_semi_structural_and_structural_tangents_add() -> None:
    t = cr.Composite[Sample](time=timedelta(days=1), value=1.0) + cr.Composite[Sample](time=structural(250.0))
    moved = cr.move(Sample(DateTime(Ticks(0)), 2.0), t)
    assert moved == Sample(DateTime(Ticks(86_400_250)), 3.0)


def test_a_registered_primal_is_a_point_of_its_own_space() -> None:
    a, b = DateTime(Ticks(5000)), DateTime(Ticks(2000))
    assert cr.difference(a, b) == timedelta(seconds=3)
    assert cr.move(b, cr.difference(a, b)) == a
    assert cr.materialize(cr.Zero(), a) == cr.zero_tangent(a) == timedelta(0)
    assert (
        cr.project_to(a)(structural(2.0)) == cr.canonicalize(structural(2.0), a) == timedelta(milliseconds=2)
    )
    assert cr.inner(cr.difference(a, b), timedelta(seconds=2)) == 6.0


def test_what_is_natural_from_the_beginning_stays_so() -> None:
    with pytest.raises(cr.ChainRulesError, match="datetime has its tangents"):
        cr.natural_tangent(datetime, float)


class QR:
    """A factorisation kept as LAPACK returns it."""

    def __init__(self, factors: Any, tau: Any) -> None:
        self.factors, self.tau = factors, tau

    @property
    def R(self) -> Any:  # noqa: N802  # a matrix, as in the papers
        return np.triu(self.factors)


@cr.convert_fields(QR, "R")
def qr_fields(qr: QR, R_bar: Any) -> dict[str, Any]:
    return {"factors": np.triu(R_bar)}


@pytest.mark.parametrize("swap", [False, True])
def test_cr24_a_property_and_a_field_add(swap: bool) -> None:
    a = cr.Composite[QR](R=np.array([[1.0, 9.0], [7.0, 0.0]]))
    b = cr.Composite[QR](factors=np.array([[2.0, 0.0], [0.0, 0.0]]))
    t = cr.canonicalize(b + a if swap else a + b, like=QR(np.eye(2), np.zeros(2)))
    np.testing.assert_array_equal(t.factors, [[3.0, 9.0], [0.0, 0.0]])
    np.testing.assert_array_equal(t.tau, [0.0, 0.0])


def test_a_property_is_converted_as_differences_say() -> None:
    A = np.random.default_rng(3).normal(size=(3, 3))
    factors, tau, _, _ = lapack.dgeqrf(A)
    weights, direction = np.arange(1.0, 10.0).reshape(3, 3), np.cos(np.arange(9.0)).reshape(3, 3)
    t = cr.canonicalize(cr.Composite[QR](R=weights), like=QR(factors, tau))
    up, down = (np.sum(weights * QR(factors + h * direction, tau).R) for h in (1e-6, -1e-6))
    assert cr.inner(t.factors, direction) == pytest.approx((up - down) / 2e-6, rel=1e-7)


class SVD:
    def __init__(self, Vt: Any) -> None:
        self.Vt = Vt

    @property
    def V(self) -> Any:  # noqa: N802  # a matrix, as in the papers
        return self.Vt.T


@cr.convert_fields(SVD, "V")
def svd_fields(svd: SVD, V_bar: Any) -> dict[str, Any]:
    return {"Vt": V_bar.T}


def test_cr24_a_transposed_property_adds() -> None:
    t = cr.Composite[SVD](V=np.array([[1.0, 2.0], [3.0, 4.0]])) + cr.Composite[SVD](Vt=np.ones((2, 2)))
    assert cr.canonicalize(t, like=SVD(np.eye(2))) == cr.Composite[SVD](Vt=np.array([[2.0, 4.0], [3.0, 5.0]]))


def test_a_property_without_converter_is_refused_by_name() -> None:
    with pytest.raises(cr.ChainRulesError, match=r"'Q' is no field that QR stores[\s\S]*convert_fields"):
        cr.canonicalize(cr.Composite[QR](Q=np.eye(2)), like=QR(np.eye(2), np.zeros(2)))


def test_a_converter_that_gives_no_field_is_named() -> None:
    class Half:
        def __init__(self) -> None:
            self.x = 1.0

        double = property(lambda self: 2 * self.x)

    @cr.convert_fields(Half, "double")
    def half_fields(half: Half, double_bar: float) -> dict[str, float]:
        return {"y": 2 * double_bar}

    with pytest.raises(cr.ChainRulesError, match=r"half_fields.*'y'"):
        cr.canonicalize(cr.Composite[Half](double=1.0), like=Half())


def test_cr40_canonical_is_dense() -> None:
    from scipy.sparse import coo_array

    t = coo_array(([2.0], ([0], [1])), shape=(2, 2))
    np.testing.assert_array_equal(cr.canonicalize(t, like=np.ones((2, 2))), [[0.0, 2.0], [0.0, 0.0]])


class Unit:
    """A number that cannot be copied, nor its fields set."""

    __slots__ = ("angle",)
    angle: float

    def __new__(cls, angle: float) -> "Unit":
        made = super().__new__(cls)
        object.__setattr__(made, "angle", angle)
        return made

    def __copy__(self) -> "Unit":
        raise TypeError("not copied")


def test_a_class_is_rebuilt_as_it_registered() -> None:
    with pytest.raises(cr.ChainRulesError, match=r"construct\.register\(Unit\)"):
        cr.move(Unit(1.0), cr.Composite[Unit](angle=0.5))

    class Own(Unit):
        __slots__ = ()

    @cr.construct.register(Own)
    def make_own(P: Any, values: Any, like: Any) -> Own:
        made: Own = P(**values)
        return made

    assert cr.move(Own(1.0), cr.Composite[Own](angle=0.5)).angle == 1.5


def test_a_metric_changes_what_an_optimiser_follows() -> None:
    class Scaled(float):
        pass

    cr.to_tangent.register(Scaled)(lambda x, x_bar: x_bar / 4)
    assert cr.to_tangent(Scaled(1.0), 2.0) == 0.5
    assert cr.to_tangent(1.0, 2.0) == 2.0
    assert cr.to_tangent(Scaled(1.0), cr.Zero()) is cr.Zero()


def test_the_nearest_class_decides() -> None:
    ways: ByType[str] = ByType()
    ways.set(int, "int")
    assert ways.of(bool) == "int"
    ways.set(bool, "bool")
    assert (ways.of(bool), ways.of(int), ways.of(str)) == ("bool", "int", None)
    with pytest.raises(TypeError, match="a class is registered"):
        ways.set(3, "no")  # type: ignore[arg-type]  # what is refused


@pytest.mark.parametrize("kind", [float, complex])
def test_cr24_numpys_own_factorisations_add(kind: type) -> None:
    A: Any = np.array([[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]], kind)
    svd, qr = np.linalg.svd(A, full_matrices=False), np.linalg.qr(A)
    V_bar = np.array([[1.0, 2.0], [3.0, 4.0]]) * kind(1)
    t = cr.Composite[type(svd)](V=V_bar) + cr.Composite[type(svd)](Vh=np.ones((2, 2)), S=np.ones(2))
    canonical = cr.canonicalize(t, like=svd)
    np.testing.assert_array_equal(canonical.Vh, [[2.0, 4.0], [3.0, 5.0]])
    np.testing.assert_array_equal(canonical.U, np.zeros((3, 2)))
    change = np.array([[0.5, -1.0], [2.0, 0.25]]) * kind(1j if kind is complex else 1)
    assert cr.inner(V_bar, change.conj().T) == cr.inner(canonical.Vh - 1, change)
    u = cr.Composite[type(qr)](Q=np.ones((3, 2))) + cr.Composite[type(qr)](R=np.eye(2), Q=np.ones((3, 2)))
    np.testing.assert_array_equal(u.Q, 2 * np.ones((3, 2)))
    np.testing.assert_array_equal(cr.canonicalize(u, like=qr).R, np.eye(2))


class Box(NamedTuple):
    a: Any
    b: Any = 2.0

    @property
    def area(self) -> Any:
        return self.a * self.b


@cr.convert_fields(Box, "area")
def box_fields(box: Box, area_bar: float) -> dict[str, Any]:
    return {"a": box.b * area_bar, "b": box.a * area_bar}


@cr.rrule(getattr, Box, "area")
def area_rrule(box: Box):
    return box.area, lambda area_bar: cr.Composite[Box](area=area_bar)


def test_the_properties_of_a_named_tuple_are_not_lost() -> None:
    t, box = cr.Composite[Box](area=1.0) + cr.Composite[Box](a=1.0), Box(3.0)
    assert cr.canonicalize(t, like=box) == cr.Composite[Box](a=3.0, b=3.0)
    assert t != cr.Composite[Box](a=1.0)
    assert cr.materialize(t, like=box).area == cr.project_to(box)(t).area == 1.0
    with pytest.raises(cr.ChainRulesError, match="'area' is no field that it stores"):
        cr.move(box, t)


def test_a_gradient_is_of_fields_also_where_a_rule_spoke_of_a_property() -> None:
    assert cr.grad(lambda box: box.area + box.a)(Box(3.0)) == cr.Composite[Box](a=3.0, b=3.0)
    boxes = cr.grad(lambda boxes: boxes[0].area * boxes[1].a)((Box(3.0), Box(4.0)))
    assert boxes == (cr.Composite[Box](a=8.0, b=12.0), cr.Composite[Box](a=6.0))
