"""An LSTM (Hochreiter, Schmidhuber 1997, with the forget gate of Gers et al. 2000) over a list."""

import numpy as np

from chainrules.testing import check_grads


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


class LSTM:
    def __init__(self, params, hidden):
        self.params, self.hidden = params, hidden
        self.h, self.c = np.zeros(hidden), np.zeros(hidden)

    def step(self, x):
        z = np.concatenate((x, self.h))
        gates = {k: self.params[f"W{k}"] @ z + self.params[f"b{k}"] for k in "ifog"}
        i, f, o = (sigmoid(gates[k]) for k in "ifo")
        self.c = f * self.c + i * np.tanh(gates["g"])
        self.h = o * np.tanh(self.c)
        return self.h


def loss(params, sequence, targets, hidden=3):
    cell = LSTM(params, hidden)
    total = 0.0
    for x, target in zip(sequence, targets, strict=True):
        error = params["V"] @ cell.step(x) - target
        total += error @ error
    return total / len(sequence)


RNG = np.random.default_rng(3)
PARAMS = {f"W{k}": 0.5 * RNG.normal(size=(3, 5)) for k in "ifog"}
PARAMS |= {f"b{k}": 0.1 * RNG.normal(size=3) for k in "ifog"} | {"V": RNG.normal(size=(1, 3))}
SEQUENCE = [RNG.normal(size=2) for _ in range(4)]
TARGETS = [np.array([0.3]), np.array([-0.1]), np.array([0.8]), np.array([0.0])]


def test_by_weights_and_inputs():
    check_grads(lambda p, s: loss(p, s, TARGETS), PARAMS, SEQUENCE, order=1)


def test_second_order():
    check_grads(lambda V, x: loss({**PARAMS, "V": V}, [x, *SEQUENCE[1:]], TARGETS), PARAMS["V"], SEQUENCE[0])
