"""Objects that a function is given or finds in its module, and whose fields it sets, once in each call."""

import copy
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after
from chainrules.engines.specialised.running.shown import text_of

RNG = np.random.default_rng(0)
DATA = RNG.normal(size=(6, 3))


class Dense:
    def __init__(self, m: int, n: int) -> None:
        self.W, self.b, self.calls = 0.4 * RNG.normal(size=(m, n)), np.zeros(n), 0

    def forward(self, x: Any) -> Any:
        self.calls += 1
        self.x = x
        self.z = x @ self.W + self.b
        return self.z


class Tanh:
    def forward(self, x: Any) -> Any:
        self.y = np.tanh(x)
        return self.y


class Net:
    def __init__(self, *layers: Any) -> None:
        self.layers, self.loss = list(layers), None

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def energy(self, x: Any) -> Any:
        self.loss = np.mean((self.forward(x) - 0.3) ** 2) + np.sum(self.layers[0].z[0])
        return self.loss


class Mlp:
    def __init__(self) -> None:
        self.V = RNG.normal(size=(3, 1))

    def set_weights(self, w: Any) -> None:
        self.W, self.b = np.outer(w, w), w * 0.5

    def forward(self, x: Any) -> Any:
        self.hidden = np.tanh(x @ self.W + self.b)
        self.out = self.hidden @ self.V
        return self.out


class Cell:
    def __init__(self) -> None:
        self.u = 0.6

    def run(self, x: Any, sign: float) -> Any:
        self.h, self.steps, self.path = x * 0.0, 0, []
        for _ in range(4):
            self.h = np.tanh(self.u * self.h + x)
            self.steps += 1
            self.path.append(np.sum(self.h))
        if sign > 0.0:
            self.last = self.h * 2.0
        else:
            self.last = self.h * x
        return sum(self.path) + np.sum(self.last)


NET, MLP, CELL = Net(Dense(3, 4), Tanh(), Dense(4, 1)), Mlp(), Cell()
SIMPLE = Dense(3, 3)


def of_a_net(x: Any) -> Any:
    return NET.energy(DATA * x)


def of_weights(x: Any) -> Any:
    MLP.set_weights(x)
    return np.mean((MLP.forward(DATA) - 0.3) ** 2) + np.sum(MLP.hidden[0] * x)


def of_a_cell(x: Any) -> Any:
    return CELL.run(x, float(x[0] > 0.0))


def directly(x: Any) -> Any:
    SIMPLE.z = x * x
    SIMPLE.calls += 2
    SIMPLE.z = SIMPLE.z * SIMPLE.W[0]
    return np.sum(SIMPLE.z**2)


OUTSIDE: dict[Any, Any] = {of_a_net: NET, of_weights: MLP, of_a_cell: CELL, directly: SIMPLE}
X = np.array([0.7, -0.4, 1.3])


def shown(v: Any) -> Any:
    """What can be compared of an object."""
    if isinstance(v, list):
        return [shown(x) for x in v]
    return {k: shown(x) for k, x in vars(v).items()} if hasattr(v, "__dict__") else v


def plain(f: Any, x: Any) -> tuple[Any, Any]:
    """The value of a run that changes a copy, and what that holds then."""
    owner = copy.deepcopy(OUTSIDE[f])
    name = next(n for n, v in globals().items() if v is OUTSIDE[f])
    g = type(f)(f.__code__, {**globals(), name: owner}, f.__name__)
    return g(x), shown(owner)


@pytest.mark.parametrize("f", OUTSIDE)
def test_outside(f: Callable[[Any], Any]) -> None:
    f(X)
    with specialised_after(1):
        for k in range(6):
            x = X + 0.01 * k
            value, after = plain(f, x)
            slopes = [(plain(f, x + e)[0] - plain(f, x - e)[0]) / 2e-6 for e in 1e-6 * np.eye(3)]
            found, gradient = cr.value_and_grad(f)(x)
            np.testing.assert_allclose(found, value)
            np.testing.assert_allclose(gradient, slopes, rtol=1e-6, atol=1e-8)
            np.testing.assert_equal(shown(OUTSIDE[f]), after)
        assert text_of(f)


def by_net(net: Any) -> Any:
    return net.energy(DATA)


def by_net_and_x(net: Any, x: Any) -> Any:
    return net.energy(DATA * x)


def test_given() -> None:
    net = Net(Dense(3, 2), Tanh(), Dense(2, 1))
    by_net(net)
    with specialised_after(10**9):
        ordinary = cr.grad(by_net)(copy.deepcopy(net))
    with specialised_after(1):
        for k in range(5):
            mine = copy.deepcopy(net)
            by_net(mine)
            gradient = cr.grad(by_net)(net)
            np.testing.assert_equal(shown(net), shown(mine))
            assert net.layers[0].calls == k + 2
        assert text_of(by_net)
    for mine, theirs in zip(gradient.layers[::2], ordinary.layers[::2], strict=True):
        np.testing.assert_allclose(mine.W, theirs.W)
        np.testing.assert_allclose(mine.b, theirs.b)


def test_one_layer_twice() -> None:
    shared = Dense(3, 3)
    tied, apart = Net(shared, Tanh(), shared), Net(Dense(3, 3), Tanh(), Dense(3, 3))
    for net in (tied, apart):
        by_net_and_x(net, X)
    with specialised_after(1):
        for _ in range(3):
            cr.grad(by_net_and_x, 1)(apart, X)
        assert text_of(by_net_and_x)
        slopes = [(by_net_and_x(tied, X + e) - by_net_and_x(tied, X - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
        before = shared.calls
        for k in range(1, 4):
            np.testing.assert_allclose(cr.grad(by_net_and_x, 1)(tied, X), slopes, rtol=1e-6)
            assert shared.calls == before + 2 * k


def given_what_is_outside(net: Any, x: Any) -> Any:
    net.forward(DATA * x)
    return np.sum(NET.layers[2].z ** 2) + np.sum(net.layers[0].z)


def test_given_what_is_outside_too() -> None:
    NET.energy(DATA)
    other = copy.deepcopy(NET)
    with specialised_after(1):
        for _ in range(3):
            cr.grad(given_what_is_outside, 1)(other, X)
        calls = NET.layers[0].calls
        found = cr.grad(given_what_is_outside, 1)(NET, X)
        assert NET.layers[0].calls == calls + 1
    ends = [(given_what_is_outside(NET, X + e), given_what_is_outside(NET, X - e)) for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(found, [(up - down) / 2e-6 for up, down in ends], rtol=1e-6)


class Remembering:
    def __init__(self) -> None:
        self.h = np.ones(3)

    def step(self, x: Any) -> Any:
        self.h = 0.5 * self.h + x
        return np.sum(self.h**2)


def test_a_state_that_goes_on_from_call_to_call() -> None:
    cell = Remembering()
    with specialised_after(1):
        for _ in range(6):
            expected = 2 * (0.5 * cell.h + X)
            np.testing.assert_allclose(cr.grad(lambda x: cell.step(x))(X), expected)
            np.testing.assert_allclose(cell.h, expected / 2)
        gradient = cr.grad(cell.step)
        for _ in range(6):
            expected = 2 * (0.5 * cell.h + X)
            np.testing.assert_allclose(gradient(X), expected)
            np.testing.assert_allclose(cell.h, expected / 2)


def fails(net: Any, x: Any) -> Any:
    y = net.energy(DATA * x)
    return y * np.linalg.solve(np.outer(x, x) + 1.0 * (x[0] < 2.0) * np.eye(3), x)[0]


def test_an_error_leaves_what_a_plain_run_leaves() -> None:
    net, x = Net(Dense(3, 2), Tanh(), Dense(2, 1)), np.array([3.0, 1.0, 1.0])
    fails(net, X)
    with specialised_after(1):
        for _ in range(3):
            cr.grad(fails, 1)(net, X)
        calls = net.layers[0].calls
        with pytest.raises(np.linalg.LinAlgError):
            cr.grad(fails, 1)(net, x)
    assert net.layers[0].calls == calls + 1


class Caching:
    """A model with its weights by name, and what it computed in a dictionary, a tuple, or a list."""

    def __init__(self) -> None:
        self.params = {"W": 0.4 * RNG.normal(size=(3, 4)), "V": RNG.normal(size=(4, 1))}
        self.cache: Any = {}
        self.seen: Any = ()

    def by_entries(self, x: Any) -> Any:
        self.cache["z"] = x @ self.params["W"]
        self.cache["a"] = np.tanh(self.cache["z"])
        return self.cache["a"] @ self.params["V"] * np.sum(self.cache["z"][0])

    def by_a_new_dictionary(self, x: Any) -> Any:
        self.cache = {}
        self.cache["z"] = x @ self.params["W"]
        self.cache["a"] = np.sin(self.cache["z"])
        return self.cache["a"] @ self.params["V"] + self.cache["z"][0, 0]

    def by_a_tuple(self, x: Any) -> Any:
        z = x @ self.params["W"]
        self.seen = (x, z, (np.tanh(z), 2.0))
        return self.seen[2][0] @ self.params["V"] * self.seen[2][1]

    def by_a_list(self, x: Any) -> Any:
        self.seen = [x]
        for name in ("W", "V"):
            self.seen.append(np.tanh(self.seen[-1] @ self.params[name]))
        return self.seen[-1] * np.sum(self.seen[1])


CACHING = Caching()


def by_entries(x: Any) -> Any:
    return np.mean(CACHING.by_entries(DATA * x) ** 2)


def by_a_new_dictionary(x: Any) -> Any:
    return np.mean(CACHING.by_a_new_dictionary(DATA * x) ** 2)


def by_a_tuple(x: Any) -> Any:
    return np.mean(CACHING.by_a_tuple(DATA * x) ** 2)


def by_a_list(x: Any) -> Any:
    return np.mean(CACHING.by_a_list(DATA * x) ** 2)


KEPT: dict[Any, Any] = dict.fromkeys((by_entries, by_a_new_dictionary, by_a_tuple, by_a_list), CACHING)
OUTSIDE.update(KEPT)


@pytest.mark.parametrize("f", KEPT)
def test_caches(f: Callable[[Any], Any]) -> None:
    test_outside(f)


def test_a_list_of_layers_of_one_class() -> None:
    net = Net(Dense(3, 3), Dense(3, 2), Dense(2, 1))

    def f(x: Any) -> Any:
        return np.sum(net.forward(DATA * x) ** 2) + np.sum(net.layers[1].z)

    f(X)
    with specialised_after(1):
        for k in range(4):
            mine = copy.deepcopy(net)
            slopes = [(f(X + e) - f(X - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
            for layer, was in zip(net.layers, mine.layers, strict=True):
                layer.__dict__.update(was.__dict__)
            np.testing.assert_allclose(cr.grad(f)(X), slopes, rtol=1e-6)
            assert net.layers[2].calls == k + 2
        assert text_of(f)


class Activation:
    """Changes nothing, and may stand in a network twice."""

    def forward(self, x: Any) -> Any:
        return np.sin(x)


def test_one_that_does_not_change_may_be_there_twice() -> None:
    act = Activation()
    net = Net(Dense(3, 3), act, Dense(3, 2), act)

    def f(x: Any) -> Any:
        return np.sum(net.forward(DATA * x) ** 2)

    f(X)
    with specialised_after(1):
        for k in range(4):
            found = cr.grad(f)(X)
            assert net.layers[0].calls == k + 2
        assert text_of(f)
    net = copy.deepcopy(net)
    slopes = [(f(X + e) - f(X - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(found, slopes, rtol=1e-6)


def energy_of(net: Any, x: Any) -> Any:
    return np.sum(net.layers[0].z * x)


HELD = functools.partial(energy_of, NET)
SCALE = functools.partial(np.multiply, 1.5)


def with_partials(x: Any) -> Any:
    y = NET.forward(DATA * x)
    return np.sum(SCALE(y) ** 2) + np.sum(NET.layers[1].y)


def of_what_a_partial_holds(x: Any) -> Any:
    y = NET.forward(DATA * x)
    return np.sum(y**2) + HELD(x[0])


@pytest.mark.parametrize("f", [with_partials, of_what_a_partial_holds])
def test_beside_partials(f: Callable[[Any], Any]) -> None:
    slopes = [(f(X + e) - f(X - e)) / 2e-6 for e in 1e-6 * np.eye(3)]
    with specialised_after(1):
        for _ in range(4):
            try:
                found = cr.grad(f)(X)
            except cr.AliasedMutationError:
                assert f is of_what_a_partial_holds
                return
            np.testing.assert_allclose(found, slopes, rtol=1e-6)
