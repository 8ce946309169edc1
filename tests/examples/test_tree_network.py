"""The trees are read, by a gradient that follows them, and by an optimiser that knows none of the types."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from examples import fit_digits, tree_network
from examples.optimisers import LBFGS, SGD, Adam, Momentum

import chainrules as cr
from chainrules import types as ct


def test_it_learns_to_read_expressions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before, after = tree_network.main(steps=120, output=tmp_path)
    shown = capsys.readouterr()
    assert after < before / 3
    assert "120/120" in shown.err  # progress
    assert (tmp_path / "tree_network.png").stat().st_size > 10_000


def test_it_parses() -> None:
    tree = tree_network.parsed("((3 + 1) * 2) - 4")
    assert tree_network.value_of(tree) == 4.0


def test_its_gradient_agrees_with_differences() -> None:
    network, tree = tree_network.initial_network(0, 3), tree_network.parsed("(3 + 1) * 2")
    gradient = cr.grad(tree_network.loss)(network, [tree], [8.0])
    assert type(gradient).__qualname__ == "Network.TangentVector"
    vector, unravel = cr.ravel(gradient)
    t = unravel(np.random.default_rng(0).normal(size=vector.shape))
    ahead, behind = (
        tree_network.loss(cr.move(network, cr.scale(h, t)), [tree], [8.0]) for h in (1e-6, -1e-6)
    )
    assert cr.inner(gradient, t) == pytest.approx((ahead - behind) / 2e-6, rel=1e-5)


def test_the_same_optimiser_trains_the_classifier_of_digits() -> None:
    train, held_out = fit_digits.load(0)
    network, adam = fit_digits.initial_network(0), Adam(rate=0.02)
    for _ in range(40):
        network = adam.step(network, cr.grad(fit_digits.penalised_loss)(network, train.images, train.digits))
    guesses = np.argmax(fit_digits.scores(network, held_out.images), axis=1)
    assert np.mean(guesses == held_out.digits) > 0.9


MATRIX = np.array([[1.0, 2.0], [3.0, 4.0]])


def mixture_loss(model: Any) -> Any:
    turned = np.trace(MATRIX.T @ model["w"].matrix)
    return turned + np.sum((model["rest"][0] - 1.0) ** 2) + np.sum((model["q"].dequantize() - 0.5) ** 2)


@pytest.mark.parametrize(
    "optimiser", [SGD(0.1), Momentum(0.05, 0.5), Adam(0.2)], ids=["SGD", "Momentum", "Adam"]
)
def test_one_optimiser_moves_a_mixture_of_types(optimiser: SGD | Momentum | Adam) -> None:
    model: Any = {
        "w": ct.Orthogonal(np.eye(2)),
        "rest": [np.zeros(2), "name"],
        "q": ct.Quantized(np.array([20, 9], np.int8), 0.1),
    }
    start = mixture_loss(model)
    for _ in range(60):
        model = optimiser.step(model, cr.grad(mixture_loss)(model))
    assert start > 5.0
    assert mixture_loss(model) < -4.9
    np.testing.assert_allclose(model["w"].matrix.T @ model["w"].matrix, np.eye(2), atol=1e-14)
    assert model["rest"][1] == "name"


@pytest.mark.parametrize(
    ("loss", "start", "least"),
    [
        (lambda x: (x - 1.0) ** 2, 3.0, 0.0),
        (lambda d: np.sum((d["a"] - 3.0) ** 2) + d["b"][0] ** 2, {"a": np.zeros(2), "b": [1.0]}, 0.0),
        (lambda w: np.trace(MATRIX.T @ w.matrix), ct.Orthogonal(np.eye(2)), -np.sqrt(26.0)),
    ],
    ids=["float", "containers", "orthogonal"],
)
def test_lbfgs_runs_over_all_types(loss, start, least) -> None:
    assert loss(LBFGS(50).run(loss, start)) == pytest.approx(least, abs=1e-8)
