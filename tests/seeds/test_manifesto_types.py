"""The cases of the manifesto (AM) on types and manifolds, under its numbers."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from examples import optimisers

import chainrules as cr
from chainrules import types as ct

sine_in_c = np.frompyfunc(math.sin, 1, 1)
MATRIX = np.array([[1.0, 2.0], [3.0, 4.0]])


@dataclass
class Node:
    left: Any
    right: Any


def tree_value(w, node):
    if not isinstance(node, Node):
        return node
    return w * (tree_value(w, node.left) + tree_value(w, node.right))


def test_AM6_the_structure_of_a_tree_is_followed():
    """val(Node) = w (l + r): at w = 2 of (1, (2, 3)) that is 2 + 4·5 = 22, its derivative 1 + 4·5 = 21."""
    assert cr.value_and_grad(tree_value)(2.0, Node(1.0, Node(2.0, 3.0))) == (22.0, 21.0)


def test_AM7_a_function_is_known_by_its_rule_alone():
    with pytest.raises(cr.NoRuleError):
        cr.grad(lambda x: sine_in_c(x))(2.0)

    @cr.rrule(sine_in_c)
    def sine_in_c_rrule(x: float):
        return sine_in_c(x), lambda y_bar: (math.cos(x) * y_bar,)

    assert cr.grad(lambda x: sine_in_c(x))(0.0) == 1.0


def test_AM8_straight_through():
    @ct.differentiable("reverse", adjoint=lambda x, y, seed: seed)
    def truncated(x):
        return float(int(x))

    assert cr.grad(truncated)(2.7) == 1.0


def test_AM9_operators_are_functions_of_users():
    def hvp(f, x, v):
        return cr.jvp(cr.grad(f), (x,), (v,))[1]

    def f(x):
        return np.sum(x**3)

    x, v = np.array([1.0, 2.0]), np.ones(2)
    np.testing.assert_array_equal(hvp(f, x, v), cr.hvp(f, x, v))
    np.testing.assert_array_equal(hvp(f, x, v), [6.0, 12.0])


def test_AM10_the_calls_that_led_there_are_named():
    def middle2(x):
        return float(str(x))

    def middle(x):
        return middle2(x) * 2

    def nested(x):
        return middle(x) + 1

    with pytest.raises(cr.ChainRulesError) as caught:
        cr.grad(nested)(1.0)
    text = str(caught.value)
    places = [text.index(part) for part in ("str(x)", "middle2(x) * 2", "middle(x) + 1")]
    assert places == sorted(places)
    assert text.count("test_manifesto_types.py:") >= 3


def test_AM12_what_a_name_is_bound_to_later_does_not_matter():
    x = 2.0
    gradient = cr.grad(lambda x: x * x)
    x = 3.0
    assert (gradient(2.0), x) == (4.0, 3.0)


def test_AM13_arithmetic_is_a_protocol():
    assert isinstance(np.ones(2), ct.Arithmetic)
    assert not isinstance("text", ct.Arithmetic)


def test_AM14_vectors_repeat_and_have_shapes():
    v = ct.repeating(np.ndarray, 1.5, (2,))
    np.testing.assert_array_equal(v, [1.5, 1.5])
    assert isinstance(v, ct.VectorNumeric)
    assert ct.shape_of(v) == (2,)
    np.testing.assert_array_equal(2 * v, [3.0, 3.0])


def test_AM15_a_differentiable_type_need_be_no_vector():
    """A note: the requirement was dropped later (AM67). A point of a sphere has no sum, and a gradient."""
    assert not isinstance(ct.Sphere([1.0, 0.0]), ct.Arithmetic)
    assert ct.is_differentiable(ct.Sphere([1.0, 0.0]))


def test_AM34_derivatives_of_curves():
    dy = cr.derivative(lambda t: (t**2, np.array([t, 3 * t])))(2.0)
    assert dy[0] == 4.0
    np.testing.assert_array_equal(dy[1], [1.0, 3.0])


class Up:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return type(self)(self.v + other.v)


class Down(Up):
    pass


class Bundle:
    def __init__(self, v):
        self.v = v


ct.manifold(
    Bundle,
    tangent=Up,
    cotangent=Down,
    zero=lambda x: Up(0.0),
    move=lambda x, t: Bundle(x.v + t.v),
    metric=lambda x, x_bar: Up(x_bar.v / 4.0),
    project=lambda x, t: t,
)


@cr.frule(getattr, Bundle, "v")
def bundle_frule(tangents, x: Bundle):
    return x.v, tangents[0].v


@cr.rrule(getattr, Bundle, "v")
def bundle_rrule(x: Bundle):
    return x.v, lambda y_bar: (Down(y_bar),)


@cr.frule(Bundle)
def made_frule(tangents, v: float):
    return Bundle(v), Up(tangents[0])


def test_AM67_tangents_and_cotangents_of_two_types():
    """`jvp` gives the first, `vjp` and `grad` the second."""
    assert (ct.tangent_type(Bundle), ct.cotangent_type(Bundle)) == (Up, Down)
    _, dy = cr.jvp(lambda v: Bundle(v), (3.0,), (2.0,))
    assert (type(dy), dy.v) == (Up, 2.0)
    gradient = cr.grad(lambda b: b.v**2)(Bundle(3.0))
    assert (type(gradient), gradient.v) == (Down, 6.0)
    assert type(cr.vjp(lambda b: b.v**2, Bundle(3.0))[1](1.0)[0]) is Down


def test_AM68_moving():
    assert cr.move(Bundle(1.0), Up(2.0)).v == 3.0


def test_AM69_a_metric_makes_tangents_of_cotangents():
    tangent = cr.to_tangent(Bundle(1.0), Down(8.0))
    assert (type(tangent), tangent.v) == (Up, 2.0)
    assert cr.to_tangent({"a": Bundle(1.0)}, cr.Composite[dict]({"a": Down(8.0)}))["a"].v == 2.0


def test_AM70_vectors_move_by_adding():
    assert cr.move(1.5, 0.5) == 2.0


@ct.vector_numeric
@dataclass
class Weights:
    a: np.ndarray
    b: float


def test_AM71_vector_operations_are_derived():
    p: Any = Weights(np.array([1.0, 2.0]), 3.0)
    total = p + p
    np.testing.assert_array_equal(total.a, [2.0, 4.0])
    assert total.b == 6.0
    assert ct.shape_of(p) == Weights.Shape(a=(2,), b=())
    with pytest.raises(cr.RegistrationError, match="different scalars"):

        @ct.vector_numeric
        @dataclass
        class Mixed:
            a: np.float32
            b: float


@cr.differentiable_type
@dataclass
class Circle:
    r: float
    name: str = cr.no_derivative("circle")


@cr.differentiable_type
@dataclass
class Square:
    side: float
    name: str = cr.no_derivative("square")


@cr.differentiable_type
@dataclass
class MyShapes:
    a: Circle
    b: Square


Shape = Circle | Square


def area(shape):
    match shape:
        case Circle(r):
            return math.pi * r**2
        case Square(side):
            return side**2


def test_AM72_shapes_in_shapes():
    shapes = MyShapes(Circle(2.0), Square(3.0))
    gradient = cr.grad(lambda s: area(s.a) + area(s.b))(shapes)
    assert type(gradient) is MyShapes.TangentVector
    moved = cr.move(shapes, gradient)
    assert (moved.a.r, moved.b.side) == (2.0 + 4 * math.pi, 9.0)


def test_AM73_a_tangent_of_a_union_is_of_one_case():
    gradient = cr.grad(area)(Circle(2.0))
    assert gradient.r == pytest.approx(4 * math.pi)
    assert ct.tangent_type(Shape) == Circle.TangentVector | Square.TangentVector
    other = Square.TangentVector(side=1.0)
    for wrong in (lambda: gradient + other, lambda: cr.move(Circle(2.0), other)):
        with pytest.raises(cr.MismatchedPrimalError):
            wrong()


def test_AM75_gradients_are_of_the_cotangent_type():
    @cr.differentiable_type
    @dataclass
    class Layer:
        w: np.ndarray
        on: bool = cr.no_derivative(True)

    layer = Layer(MATRIX)
    assert isinstance(cr.grad(lambda layer: np.sum(layer.w**2))(layer), ct.cotangent_type(Layer))
    assert isinstance(cr.grad(lambda w: np.sum(w**2))(MATRIX), ct.cotangent_type(np.ndarray))


def test_AM76_orthogonal_matrices_have_skew_symmetric_gradients():
    w = ct.Orthogonal(np.eye(2))

    def loss(w):
        return np.trace(MATRIX.T @ w.matrix)

    gradient = cr.grad(loss)(w)
    assert type(gradient) is ct.SkewSymmetric
    np.testing.assert_allclose(gradient.matrix, [[0.0, -0.5], [0.5, 0.0]])
    moved = cr.move(w, -0.1 * gradient)
    np.testing.assert_allclose(moved.matrix.T @ moved.matrix, np.eye(2), atol=1e-15)
    assert loss(w) == 5.0
    assert loss(moved) == pytest.approx(4.943772, abs=1e-6)


def test_AM77_quantised_numbers_have_gradients_of_floats():
    q = ct.Quantized(np.array([10, 20], np.int8), scale=0.1)
    gradient = cr.grad(lambda q: np.sum(q.dequantize() ** 2))(q)
    np.testing.assert_allclose(gradient, [2.0, 4.0])
    np.testing.assert_array_equal(cr.move(q, -0.25 * gradient).data, [5, 10])
    assert (q + q).data.tolist() == [20, 40]
    assert (2.0 * q).data.dtype == np.int8


@pytest.mark.parametrize(
    ("x", "loss", "after"),
    [
        (3.0, lambda x: x**2, lambda x: x == pytest.approx(2.4)),
        (Square(3.0), area, lambda x: x.side == pytest.approx(2.4)),
        (
            ct.Orthogonal(np.eye(2)),
            lambda w: np.trace(MATRIX.T @ w.matrix),
            lambda w: np.trace(MATRIX.T @ w.matrix) == pytest.approx(4.943772, abs=1e-6),
        ),
        (
            ct.Quantized(np.array([10, 20], np.int8), scale=0.1),
            lambda q: np.sum(q.dequantize() ** 2),
            lambda q: q.data.tolist() == [8, 16],
        ),
    ],
    ids=["float", "struct", "orthogonal", "quantised"],
)
def test_AM78_one_optimiser_for_all_types(x, loss, after):
    assert after(optimisers.SGD(0.1).step(x, cr.grad(loss)(x)))


def test_AM79_parameters_are_updated_together():
    model = {"w": 2.0, "layers": [Circle(1.0)]}
    gradient = cr.grad(lambda m: m["w"] * 3.0 + area(m["layers"][0]))(model)
    updated = ct.map_variables(lambda p, g: p - 0.1 * g, model, gradient)
    assert updated["w"] == pytest.approx(1.7)
    assert updated["layers"][0].r == pytest.approx(1.0 - 0.2 * math.pi)
    assert updated["layers"][0].name == "circle"
