"""The cases of the document "Differentiable types" (DT), under its numbers."""

import copy
import pickle
import warnings
from dataclasses import FrozenInstanceError, dataclass, field
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules import types as ct


@cr.differentiable_type
@dataclass
class Vector:
    x: float
    y: float
    z: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)


@dataclass
class PlainVector:
    x: float
    y: float


@cr.differentiable_type
@dataclass
class Dense:
    weight: np.ndarray
    bias: np.ndarray
    use_bias: bool = cr.no_derivative(True)
    previous_weight: np.ndarray = cr.no_derivative(default_factory=lambda: np.zeros(1))

    def __call__(self, x):
        return x @ self.weight + self.bias


@cr.differentiable_type
@dataclass
class Scale:
    w: float
    name: str = cr.no_derivative("scale")

    def __call__(self, x):
        return self.w * x


@cr.differentiable_type
@dataclass
class GenericWrapper:
    x: Any
    y: Any
    flag: bool = cr.no_derivative(True)
    helper: Any = cr.no_derivative(7.0)


@cr.differentiable_type
@dataclass(frozen=True)
class Frozen:
    x: float
    flag: bool = cr.no_derivative(True)


@cr.differentiable_type
@dataclass
class Inner:
    w: float
    on: bool = cr.no_derivative(True)


@cr.differentiable_type
@dataclass
class Outer:
    inner: Inner
    b: float


@cr.differentiable_type
@dataclass
class Turned:
    w: ct.Orthogonal


@cr.differentiable_type
@dataclass
class Line:
    w: float
    b: float
    name: str = cr.no_derivative("line")


POINT = Vector(1.0, 2.0, 3.0)
INPUT = np.array([[3.0, 3.0]])


@pytest.fixture
def dense():
    return Dense(np.ones((2, 2)), np.zeros(2))


@pytest.fixture
def gradient(dense):
    return cr.grad(lambda d: d(INPUT).sum())(dense)


def test_DT1_strings_have_no_derivative_and_integers_have_one():
    """The document excludes integers; here their tangents are floats, but see DT17."""
    assert ct.is_differentiable_type(float)
    assert not ct.is_differentiable_type(str)
    assert ct.tangent_type(int) is float


def test_DT2_a_users_class_is_as_good_as_a_number():
    assert cr.grad(lambda v: v.x**2)(Vector(3.0, 0.0, 0.0)).x == 6.0


def test_DT3_the_gradient_of_a_declared_vector_is_a_vector():
    gradient = cr.grad(lambda v: (v + v).x)(POINT)
    assert type(gradient) is Vector
    assert gradient == Vector(2.0, 0.0, 0.0)


def test_DT3_a_dataclass_needs_nothing_to_be_differentiated():
    """Without a declaration the gradient is the vector's `Composite`."""
    gradient = cr.grad(lambda v: v.x * 2.0)(PlainVector(1.0, 2.0))
    assert type(gradient) is cr.Composite[PlainVector]
    assert (gradient.x, gradient.y) == (2.0, 0.0)


def test_DT4_marked_fields_are_absent_from_the_gradient(gradient):
    np.testing.assert_array_equal(gradient.weight, [[3.0, 3.0], [3.0, 3.0]])
    np.testing.assert_array_equal(gradient.bias, [1.0, 1.0])
    assert not hasattr(gradient, "use_bias")
    assert not hasattr(ct.all_variables(Dense(np.ones(1), np.ones(1))), "previous_weight")


@pytest.mark.parametrize("engine", ["source", "tape"])
def test_DT5_the_gradient_is_of_a_nominal_class(dense, engine):
    gradient = cr.grad(lambda d: d(INPUT).sum(), engine=engine, form="canonical")(dense)
    assert type(gradient) is ct.all_variables_type(Dense)
    assert repr(gradient).startswith("Dense.TangentVector(")
    assert type(pickle.loads(pickle.dumps(gradient))) is type(gradient)
    assert pickle.loads(pickle.dumps(gradient)) == copy.deepcopy(gradient) == gradient


def test_DT6_a_callable_object_is_an_argument():
    gradients = cr.grad(lambda d, x: d(x), argnums=(0, 1))(Scale(4.0), 2.0)
    assert gradients == (Scale.TangentVector(w=2.0), 4.0)


def test_DT7_the_tangent_of_a_tangent_is_itself():
    T = ct.tangent_type(Dense)
    assert ct.tangent_type(T) is T
    assert ct.all_variables_type(T) is T


def test_DT8_the_variables_have_the_same_tangents():
    for P in (Dense, Turned, GenericWrapper, Vector):
        V = ct.all_variables_type(P)
        assert ct.tangent_type(V) is ct.tangent_type(P)
        assert ct.all_variables_type(V) is V


def test_DT9_the_variables_are_read():
    variables = ct.all_variables(GenericWrapper(2.0, 3.0))
    assert variables == ct.all_variables_type(GenericWrapper)(x=2.0, y=3.0)


def test_DT10_the_variables_are_set_only_where_all_are_mutable():
    x = GenericWrapper(2.0, 3.0)
    ct.set_all_variables(x, ct.all_variables_type(GenericWrapper)(x=9.0, y=3.0))
    assert (x.x, x.flag) == (9.0, True)
    with pytest.raises(FrozenInstanceError, match=r"Frozen\.x"):
        ct.set_all_variables(Frozen(1.0), Frozen.AllDifferentiableVariables(x=2.0))
    with pytest.raises(cr.MismatchedPrimalError, match=r"not a GenericWrapper[\s\S]*give .*x=…, y=…"):
        ct.set_all_variables(x, x)
    assert (x.x, x.flag) == (9.0, True)


def test_DT10_nothing_is_set_where_a_part_is_frozen():
    @cr.differentiable_type
    @dataclass
    class Holder:
        a: float
        part: Frozen

    x = Holder(1.0, Frozen(2.0))
    variables = ct.all_variables(cr.move(x, Holder.TangentVector(1.0, Frozen.TangentVector(1.0))))
    with pytest.raises(FrozenInstanceError):
        ct.set_all_variables(x, variables)
    assert x == Holder(1.0, Frozen(2.0))


def test_DT11_moving_is_pure():
    assert cr.move(POINT, Vector(1.0, 1.0, 1.0)) == Vector(2.0, 3.0, 4.0)
    assert Vector(1.0, 2.0, 3.0) == POINT


def test_DT12_a_cotangent_is_its_own_tangent_by_default():
    assert cr.to_tangent(1.0, 5.0) == 5.0


def test_DT13_tangents_have_a_zero_and_add(gradient):
    T = type(gradient)
    assert gradient == T.zero() + gradient
    assert T.zero() == gradient - gradient


def test_DT14_a_step_over_key_paths():
    line = Line(2.0, 1.0)
    step = cr.grad(lambda m: m.w * 3.0 + m.b)(line)
    moved = ct.map_variables(lambda p, g: p - 0.1 * g, line, step)
    assert (moved.w, moved.b) == pytest.approx((1.7, 0.9), abs=1e-12)
    assert [str(path) for path in ct.key_paths(line)] == [".w", ".b"]
    (w, _) = ct.key_paths(line)
    assert (w(line), w.replaced(line, 5.0).w, line.w) == (2.0, 5.0, 2.0)


@pytest.mark.parametrize("kind", [float, np.float16, np.float32, np.float64, np.longdouble])
def test_DT15_floats_are_their_own_tangents(kind):
    gradient = cr.grad(lambda x: x * x)(kind(3))
    assert gradient == 6
    assert type(gradient) is kind
    assert ct.tangent_type(kind) is kind


def test_DT16_arrays_of_floats_are_differentiable():
    assert ct.is_differentiable(np.zeros(4))
    assert not ct.is_differentiable(np.zeros(4, bool))


def test_DT17_a_type_is_differentiable_under_a_condition():
    counts = np.arange(3, dtype=np.int32)
    assert cr.grad(lambda x: np.sum(x * 1.5))(counts).dtype == float
    with ct.register_type(np.ndarray, where=lambda x: x.dtype.kind in "fc"):
        with pytest.raises(cr.NotDifferentiableError, match="argument 0"):
            cr.grad(lambda x: np.sum(x * 1.5))(counts)
        cr.grad(lambda x: np.sum(x * 1.5))(np.ones(3))
    cr.grad(lambda x: np.sum(x * 1.5))(counts)


def test_DT18_only_a_declared_class_has_a_tangent_type():
    with pytest.raises(cr.NotDifferentiableError, match=r"PlainVector.*\n.*\n.*@differentiable_type"):
        ct.tangent_type(PlainVector)


def test_DT19_an_unmarked_field_without_derivative_is_named():
    def declare():
        @cr.differentiable_type
        @dataclass
        class Unmarked:
            w: float
            name: str = "a"

        return Unmarked

    with pytest.warns(ct.ImplicitNoDerivativeWarning, match=r"Unmarked.name.*name: str = no_derivative\(\)"):
        Unmarked = declare()
    assert not hasattr(cr.grad(lambda u: u.w)(Unmarked(1.0)), "name")
    with pytest.raises(cr.RegistrationError, match="name"):

        @cr.differentiable_type(strict=True)
        @dataclass
        class Strict:
            w: float
            name: str = "a"


def test_DT20_a_type_can_be_its_own_tangent():
    @cr.differentiable_type
    @dataclass
    class Marked:
        x: float
        name: str = cr.no_derivative("a")

        def __add__(self, other):
            return Marked(self.x + other.x)

    assert ct.tangent_type(Vector) is Vector
    assert ct.tangent_type(Marked) is not Marked


def test_DT21_one_class_where_one_is_enough():
    assert Dense.TangentVector is Dense.AllDifferentiableVariables


def test_DT22_two_classes_where_fields_differ():
    assert Turned.TangentVector.__annotations__ == {"w": ct.SkewSymmetric}
    assert Turned.AllDifferentiableVariables.__annotations__ == {"w": ct.Orthogonal}
    gradient = cr.grad(lambda m: m.w.matrix[0, 1])(Turned(ct.Orthogonal(np.eye(2))))
    assert type(gradient.w) is ct.SkewSymmetric
    assert type(ct.all_variables(Turned(ct.Orthogonal(np.eye(2)))).w) is ct.Orthogonal


def test_DT23_the_classes_are_made_by_keyword():
    t = Dense.TangentVector(weight=np.zeros((2, 2)), bias=np.zeros(2))
    assert t == Dense.TangentVector.zero()
    with pytest.raises(TypeError, match=r"use_bias.*does not differentiate it.*weight, bias"):
        Dense.TangentVector(use_bias=1.0)


def test_DT24_reading_a_field_is_differentiable():
    assert cr.grad(lambda v: v.y)(POINT) == Vector(0.0, 1.0, 0.0)


def test_DT25_moving_goes_field_by_field():
    moved = cr.move(GenericWrapper(2.0, [1.0, 2.0]), GenericWrapper.TangentVector(1.0, [1.0, 1.0]))
    assert moved == GenericWrapper(3.0, [2.0, 3.0], True, 7.0)


def test_DT26_each_instance_decides_the_types_of_its_tangents():
    gradient = cr.grad(lambda g: g.x * np.sum(g.y))(GenericWrapper(2.0, np.array([1.0, 2.0])))
    assert type(gradient.x) is float
    assert type(gradient.y) is np.ndarray


@pytest.mark.parametrize("engine", ["source", "tape"])
def test_DT27_declared_types_nest(engine):
    gradient = cr.grad(lambda m: m.inner.w * m.b, engine=engine)(Outer(Inner(3.0), 5.0))
    assert gradient == Outer.TangentVector(inner=Inner.TangentVector(5.0), b=3.0)
    assert type(gradient.inner) is Inner.TangentVector
    second = cr.grad(lambda m: cr.grad(lambda m: m.inner.w**2 * m.b, engine=engine)(m).b, engine=engine)
    assert second(Outer(Inner(3.0), 5.0)) == Outer.TangentVector(inner=Inner.TangentVector(6.0), b=0.0)


def test_DT28_one_operator_serves_all_types():
    """DT3 and DT4 above call the same `grad`, and so do a number, an array and a dictionary."""
    assert cr.grad(lambda x: x * x)(3.0) == 6.0
    assert cr.grad(lambda d: d["w"] ** 2)({"w": 3.0}) == {"w": 6.0}


def test_DT29_a_point_moves_on_its_sphere():
    moved = cr.move(ct.Sphere([1.0, 0.0]), np.array([0.0, np.pi / 2]))
    np.testing.assert_allclose(moved.point, [0.0, 1.0], atol=1e-12)
    assert np.linalg.norm(moved.point) == pytest.approx(1.0, abs=1e-15)


def test_DT30_marked_fields_keep_their_values(dense, gradient):
    assert cr.move(dense, gradient).use_bias is True


def test_declaring_a_class_warns_of_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        @cr.differentiable_type
        @dataclass
        class Quiet:
            layers: list[float] = field(default_factory=list)

    assert Quiet.TangentVector.__annotations__ == {"layers": cr.Composite[list]}
