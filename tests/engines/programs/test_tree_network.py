"""A recursive network over the trees of sentences (Socher et al., ICML 2011), on dataclasses."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads


@dataclass
class Leaf:
    word: str


@dataclass
class Node:
    left: Leaf | Node
    right: Leaf | Node


@dataclass
class Network:
    words: dict[str, np.ndarray]
    W: np.ndarray
    bias: np.ndarray
    score: np.ndarray = field(default_factory=lambda: np.ones(2))

    def embed(self, tree):
        match tree:
            case Leaf(word=word):
                return self.words[word]
            case Node(left=left, right=right):
                pair = np.concatenate([self.embed(left), self.embed(right)])
                return np.tanh(self.W @ pair + self.bias)


def loss(network, trees):
    total = 0.0
    for tree, label in trees:
        z = network.score @ network.embed(tree)
        total += np.log1p(np.exp(-z if label else z))
    return total


RNG = np.random.default_rng(0)
WORDS = {w: RNG.normal(size=2) for w in ("not", "very", "good", "bad")}
TREES = [
    (Node(Leaf("very"), Leaf("good")), True),
    (Node(Leaf("not"), Node(Leaf("very"), Leaf("good"))), False),
    (Node(Node(Leaf("not"), Leaf("bad")), Leaf("good")), True),
]
NETWORK = Network(WORDS, RNG.normal(size=(2, 4)), np.array([0.1, -0.2]), np.array([1.0, -0.5]))


def test_by_the_whole_network():
    check_grads(lambda network: loss(network, TREES), NETWORK, order=1)


def test_second_order():
    def f(W, bias):
        return loss(Network(WORDS, W, bias), TREES)

    check_grads(f, NETWORK.W, NETWORK.bias)


def test_the_gradient_has_the_networks_fields():
    g = cr.grad(loss)(NETWORK, TREES[:1])
    assert np.all(g.words["good"] != 0)
    assert not np.any(g.words["bad"])
    np.testing.assert_allclose(cr.move(NETWORK, g).bias, NETWORK.bias + g.bias)
