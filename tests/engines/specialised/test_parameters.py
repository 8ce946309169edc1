"""Parameters of several shapes in one list: filled, gone through and taken in pairs."""

from typing import Any

import numpy as np
import pytest
from tests.engines.specialised.compared import hold_directions, is_right

INPUT = np.array([0.2, 0.4])


class Dense:
    def __init__(self, W: Any, b: Any) -> None:
        self.W, self.b = W, b

    def __call__(self, x: Any) -> Any:
        return np.tanh(self.W @ x + self.b)

    def parameters(self) -> list[Any]:
        return [self.W, self.b]


class Sequential:
    def __init__(self, layers: list[Dense]) -> None:
        self.layers = layers

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self) -> list[Any]:
        return [p for layer in self.layers for p in layer.parameters()]


def network(x: Any) -> Sequential:
    return Sequential([Dense(x[:4].reshape(2, 2), x[4:6]), Dense(x[6:10].reshape(2, 2), x[10:12])])


def decayed(x: Any) -> Any:
    net = network(x)
    return np.sum(net(INPUT)) + 1e-2 * sum(np.sum(p**2) for p in net.parameters())


def flattened(x: Any) -> Any:
    net = network(x)
    return np.sum(net(INPUT)) + np.sum(np.concatenate([p.ravel() for p in net.parameters()]) ** 3)


def by_sizes(x: Any) -> Any:
    parameters, sizes, k = [], [2, 2, 2], 0
    for a, b in zip(sizes[:-1], sizes[1:], strict=True):  # noqa: RUF007  as people write it
        parameters.append(x[k : k + a * b].reshape(b, a))
        k += a * b
        parameters.append(x[k : k + b])
        k += b
    h = INPUT
    for i in range(0, len(parameters), 2):
        h = np.tanh(parameters[i] @ h + parameters[i + 1])
    return np.sum(h) + sum([np.sum(p * p) for p in parameters])


def every_second(x: Any) -> Any:
    parameters: list[Any] = []
    for n in range(2):
        parameters += [x[4 * n : 4 * n + 4].reshape(2, 2), x[8 + n]]
    h = INPUT
    for W, b in zip(parameters[::2], parameters[1::2], strict=True):
        h = np.tanh(W @ h + b)
    return np.sum(h) * x[10] + x[11]


def numbers_and_rows(x: Any) -> Any:
    mixed, total = [], 0.0
    for i, row in enumerate([x[:2], x[2:6].reshape(2, 2)]):
        mixed.append(row)
        mixed.append(x[i + 6])
    for m in mixed:
        total += np.sum(m**2) * x[11]
    return total


PROGRAMS = [decayed, flattened, by_sizes, every_second, numbers_and_rows]
X = np.linspace(-1.0, 1.0, 12)


@pytest.mark.parametrize("f", PROGRAMS)
def test_has_a_text_that_is_right(f: Any) -> None:
    assert is_right(f, X)


@pytest.mark.parametrize("f", PROGRAMS)
def test_so_have_its_directions(f: Any) -> None:
    hold_directions(f, X)


def grown(x: Any) -> Any:
    """More is put behind it after it was asked for its length."""
    mixed: list[Any] = [x[:2]]
    for _ in range(2):
        mixed.append(x[2])
        mixed.append(mixed[-1] * len(mixed))
    return np.sum(mixed[0]) * mixed[-1]


def where_positive(x: Any) -> Any:
    mixed: list[Any] = []
    for i in range(4):
        if x[i] > -0.7:
            mixed.append(x[i])
        mixed.append(x[i : i + 2])
    return sum(np.sum(m**2) for m in mixed) * len(mixed)


def one_changed(x: Any) -> Any:
    mixed = [x[:2] * 1.0, x[2]]
    for i in range(2):
        mixed.append(x[i])
        mixed[0] *= x[i + 3]
    mixed[1] = x[5:7]
    return sum(np.sum(m**2) for m in mixed)


def the_same_row_twice(x: Any) -> Any:
    rows: list[Any] = []
    for i in range(2):
        row = x[2 * i : 2 * i + 2] * 1.0
        rows.append(row)
        rows.append(row.sum())
        row[0] *= x[5]
    return sum(np.sum(r**2) for r in rows)


@pytest.mark.parametrize("f", [grown, where_positive, one_changed, the_same_row_twice])
def test_right_whether_it_has_one_or_not(f: Any) -> None:
    is_right(f, X)
    hold_directions(f, X)
