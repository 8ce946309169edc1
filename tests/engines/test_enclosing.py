"""Functions that change objects of their module: a model that keeps what it computes, a buffer, a log."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engines import rightly

import chainrules as cr

X = np.array([0.7, -0.4, 1.3])
OPERATORS: dict[str, Callable[[Any], Any]] = {
    "grad": lambda f: cr.grad(f)(X),
    "vjp": lambda f: cr.vjp(f, X)[1](1.0)[0],
    "jacrev": lambda f: cr.jacrev(f)(X),
    "jacfwd": lambda f: cr.jacfwd(f)(X),
}


class Layer:
    """A layer that keeps what went in and what came out."""

    def __init__(self, w: float) -> None:
        self.w, self.calls = w, 0
        self.x = self.y = np.ones(3)

    def forward(self, x: Any) -> Any:
        self.calls += 1
        self.x = x
        self.y = np.tanh(self.w * x)
        return self.y

    def energy(self) -> Any:
        return np.sum(self.x * self.y**2)


class Model:
    """Layers in a list, with a cache by name and weights that can be set."""

    def __init__(self) -> None:
        self.layers = [Layer(0.8), Layer(1.2)]
        self.cache: dict[str, Any] = {}

    def set_weights(self, w: Any) -> None:
        for layer, v in zip(self.layers, w, strict=False):
            layer.w = v

    def forward(self, x: Any) -> Any:
        for i, layer in enumerate(self.layers):
            x = layer.forward(x)
            self.cache[f"A{i}"] = x
        return x


LAYER, MODEL = Layer(0.8), Model()
BUFFER, LOG, STATE = np.zeros(3), [1.0], {"x": 2.0, "steps": 0}


def predict(x: Any) -> Any:
    return LAYER.forward(x)


def scaled(x: Any, by: float = 2.0) -> Any:
    return predict(x * by)


def by_a_method(x: Any) -> Any:
    return np.sum(LAYER.forward(x)) + LAYER.energy()


def by_another_name(x: Any) -> Any:
    layer = LAYER
    return np.sum(layer.forward(x)) + LAYER.energy()


def by_a_function(x: Any) -> Any:
    return np.sum(scaled(x)) * np.sum(LAYER.y) + LAYER.calls


def by_weights(w: Any) -> Any:
    MODEL.set_weights(w)
    return np.sum(MODEL.forward(X) ** 2) + np.sum(MODEL.cache["A0"]) * w[2]


def into_a_buffer(x: Any) -> Any:
    for _ in range(3):
        BUFFER[:] = 0.5 * BUFFER + x * x
    return np.sum(BUFFER**2)


def into_a_log(x: Any) -> Any:
    for v in x:
        LOG.append(LOG[-1] * v)
    return LOG[-1] + LOG[2]


def into_a_dictionary(x: Any) -> Any:
    for v in x:
        STATE["x"] = STATE["x"] * v + 1.0
        STATE["steps"] += 1
    return STATE["x"] * STATE["steps"]


def inside_a_lambda(x: Any) -> Any:
    step = lambda v: LAYER.forward(v) * LAYER.x  # noqa: E731  that is what is tested
    return np.sum(step(x))


def in_a_comprehension(x: Any) -> Any:
    return sum([np.sum(layer.forward(x)) * layer.w for layer in MODEL.layers]) + MODEL.layers[0].energy()


def captured() -> Callable[[Any], Any]:
    model, seen = Model(), [0.0]

    def loss(x: Any) -> Any:
        seen.append(np.sum(model.forward(x)))
        return seen[-1] ** 2 + model.layers[1].energy()

    return loss


OF_THE_MODULE = {"LAYER": LAYER, "MODEL": MODEL, "BUFFER": BUFFER, "LOG": LOG, "STATE": STATE}
FUNCTIONS = [
    *(by_a_method, by_another_name, by_a_function, by_weights, into_a_buffer, into_a_log, into_a_dictionary),
    *(in_a_comprehension, captured()),
]


def shown(v: Any) -> Any:
    """What can be compared of the variables of a module or of what a function captured."""
    if isinstance(v, dict):
        return {k: shown(x) for k, x in v.items()}
    if isinstance(v, list | tuple):
        return [shown(x) for x in v]
    if isinstance(v, Layer | Model):
        return shown(vars(v))
    return v.tolist() if isinstance(v, np.ndarray | np.generic) else v


@pytest.fixture(autouse=True)
def as_before():
    """Give the variables of the module what they held."""
    before: dict[str, Any] = copy.deepcopy(OF_THE_MODULE)
    yield
    for name, v in before.items():
        held: Any = OF_THE_MODULE[name]
        if isinstance(held, list | np.ndarray):
            held[:] = v
        else:
            mine, theirs = (held, v) if isinstance(held, dict) else (vars(held), vars(v))
            mine.clear()
            mine.update(theirs)


def plain(f: Any, x: Any) -> tuple[Any, Any]:
    """The value of a run on copies of all that it changes, and what they hold then."""
    g = copy.copy(f)
    values = copy.deepcopy(OF_THE_MODULE)
    cells = tuple(type(c)(copy.deepcopy(c.cell_contents)) for c in f.__closure__ or ())
    g = type(f)(f.__code__, {**f.__globals__, **values}, f.__name__, f.__defaults__, cells)
    for name in ("predict", "scaled"):
        h = g.__globals__[name]
        g.__globals__[name] = type(h)(h.__code__, g.__globals__, name, h.__defaults__)
    return g(x), shown([values, [c.cell_contents for c in cells if not callable(c.cell_contents)]])


def now(f: Any) -> Any:
    contents = [c.cell_contents for c in f.__closure__ or ()]
    return shown([OF_THE_MODULE, [v for v in contents if not callable(v)]])


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("f", FUNCTIONS)
def test_it_has_a_derivative_and_its_effects_once(f, name):
    slopes = [(plain(f, X + e)[0] - plain(f, X - e)[0]) / 2e-6 for e in 1e-6 * np.eye(3)]
    after = plain(f, X)[1]
    np.testing.assert_allclose(OPERATORS[name](f), slopes, rtol=1e-6, atol=1e-8)
    np.testing.assert_equal(now(f), after)


@pytest.mark.parametrize("f", FUNCTIONS)
def test_forward(f):
    slopes = [(plain(f, X + e)[0] - plain(f, X - e)[0]) / 2e-6 for e in 1e-6 * np.eye(3)]
    after = plain(f, X)[1]
    _, dy = cr.jvp(f, (X,), (X,))
    np.testing.assert_allclose(dy, np.array(slopes) @ X, rtol=1e-6)
    np.testing.assert_equal(now(f), after)


def test_each_run_goes_on_from_where_the_one_before_ended():
    for _ in range(3):
        slopes = [
            (plain(into_a_buffer, X + e)[0] - plain(into_a_buffer, X - e)[0]) / 2e-6 for e in 1e-6 * np.eye(3)
        ]
        np.testing.assert_allclose(cr.grad(into_a_buffer)(X), slopes, rtol=1e-6)


class Reader:
    """Reads what a function changes, by its name in the module."""

    def read(self) -> Any:
        return LAYER.y


READER = Reader()


def read_by_a_method(x: Any) -> Any:
    LAYER.forward(x)
    return np.sum(READER.read())


def given_what_is_read_by_name(x: Any, layer: Any) -> Any:
    layer.forward(x)
    return np.sum(LAYER.y)


def given_what_a_function_reads(x: Any, layer: Any) -> Any:
    layer.forward(x)
    return np.sum(predicted())


def predicted() -> Any:
    return LAYER.y


def read_by_a_method_of_what_is_given(x: Any, layer: Any) -> Any:
    layer.forward(x)
    return np.sum(READER.read())


@pytest.mark.parametrize("f", [read_by_a_method, inside_a_lambda])
def test_what_a_method_or_a_lambda_reads(f):
    for again in (lambda: rightly.grad(f)(X), lambda: rightly.jvp(f, (X,), (X,))):
        again()


@pytest.mark.parametrize("f", [given_what_is_read_by_name, given_what_a_function_reads])
def test_what_is_given_may_be_read_by_its_name(f):
    slopes = 0.8 * (1 - np.tanh(0.8 * X) ** 2)
    np.testing.assert_allclose(cr.grad(f)(X, LAYER), slopes)
    np.testing.assert_allclose(cr.jvp(f, (X, LAYER), (X, cr.tangents.ZERO))[1], slopes @ X)
    with pytest.warns(cr.ZeroDerivativeWarning):
        np.testing.assert_allclose(cr.grad(f)(X, Layer(0.8)), np.zeros(3))


def test_what_is_given_may_be_read_by_a_method():
    slopes = 0.8 * (1 - np.tanh(0.8 * X) ** 2)
    np.testing.assert_allclose(cr.grad(read_by_a_method_of_what_is_given)(X, LAYER), slopes)


def test_second_derivatives_by_a_method():
    rightly.hvp(by_a_method, X, X)


def keeps_its_weights(w: Any, model: Any) -> Any:
    model.set_weights(w)
    model.weights = w
    return np.sum(model.forward(np.linspace(0.3, 1.0, 3))) * w[0]


@pytest.mark.parametrize("order", [1, 2])
def test_an_argument_that_a_model_holds_from_before(order):
    w, fresh = np.array([0.7, 1.1, 0.3]), Model()
    MODEL.weights = w  # type: ignore[attr-defined]  # as a run before left it
    if order == 1:
        found, slopes = cr.grad(keeps_its_weights)(w, MODEL), cr.grad(keeps_its_weights)(w, fresh)
    else:
        found = cr.hvp(keeps_its_weights, (w, MODEL), X, argnums=0)
        slopes = cr.hvp(keeps_its_weights, (w, fresh), X, argnums=0)
    np.testing.assert_allclose(found, slopes)
    numeric = [
        (keeps_its_weights(w + e, Model()) - keeps_its_weights(w - e, Model())) / 2e-6
        for e in 1e-6 * np.eye(3)
    ]
    if order == 1:
        np.testing.assert_allclose(found, numeric, rtol=1e-6, atol=1e-8)


def by_a_model(model: Any) -> Any:
    return np.sum(model.forward(X) ** 2)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_an_object_that_varies_and_holds_what_is_outside_from_before(mode):
    model, fresh = Model(), Model()
    by_a_model(model)
    assert model.layers[0].x is X  # as the run left it
    if mode == "reverse":
        found, expected = cr.grad(by_a_model)(model), cr.grad(by_a_model)(fresh)
        np.testing.assert_allclose([v.w for v in found.layers], [v.w for v in expected.layers])
    else:
        moved = cr.tangents.Composite[Layer](w=1.0)
        tangent = cr.tangents.Composite[Model](layers=cr.tangents.Composite[list](moved, moved))
        found, expected = cr.jvp(by_a_model, (model,), (tangent,)), cr.jvp(by_a_model, (fresh,), (tangent,))
        np.testing.assert_allclose(found, expected)
    assert [layer.calls for layer in model.layers] == [2, 2]


def changed_by_another_name(w: Any, model: Any) -> Any:
    model.weights = w
    model.weights[0] = 2.0 * model.weights[0]
    return np.sum(model.weights * model.old)


def test_an_argument_that_is_changed_by_another_name_while_others_hold_it_is_refused():
    model = Model()
    model.old = X.copy()  # type: ignore[attr-defined]  # a field of this test
    w = model.old  # type: ignore[attr-defined]
    for again in (
        lambda: cr.grad(changed_by_another_name)(w, model),
        lambda: cr.hvp(changed_by_another_name, (w, model), X, argnums=0),
    ):
        with pytest.raises(cr.AliasedMutationError, match="is read by another name"):
            again()


class Weights:
    def __init__(self) -> None:
        self.w, self.b = np.array([0.7, 1.1]), 0.5


def of_weights_that_are_kept(p: Any, model: Any) -> Any:
    before = np.sum(model.layers[0].y) * p.b
    model.set_weights(p.w)
    model.weights = p
    return np.sum(model.forward(p.w)) * model.weights.b + before


def test_an_object_that_a_model_holds_from_before():
    p, model, fresh = Weights(), Model(), Model()
    of_weights_that_are_kept(p, model)
    for mine, theirs in zip(fresh.layers, model.layers, strict=True):
        mine.y = theirs.y.copy()
    found, expected = (cr.grad(of_weights_that_are_kept)(q, m) for q, m in ((p, model), (Weights(), fresh)))
    np.testing.assert_allclose(found.w, expected.w)
    np.testing.assert_allclose(found.b, expected.b)
