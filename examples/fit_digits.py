"""Train a two-layer classifier on scikit-learn's handwritten digits with SciPy's L-BFGS.

The model is plain NumPy and its parameters are a dataclass. `value_and_grad` gives the loss with a gradient
of the same shape; `ravel` turns both into the vectors that `scipy.optimize.minimize` works on.

Run `python scripts/run.py fit_digits`, or this file where chainrules[examples] is installed.
It writes examples/output/fit_digits.png: the loss, and the held-out digits it got wrong.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import OptimizeResult, minimize
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tqdm import tqdm

import chainrules as cr

OUTPUT = Path(__file__).parent / "output"
History = list[tuple[float, float]]  # cross-entropy on the training and the held-out digits, by iteration
DECAY = 1e-3  # weight of the penalty on large weights


@dataclass
class Network:
    """Two layers: pixels → hidden units → one score per digit."""

    hidden_weights: np.ndarray[Any, Any]
    hidden_bias: np.ndarray[Any, Any]
    score_weights: np.ndarray[Any, Any]
    score_bias: np.ndarray[Any, Any]


@dataclass
class Data:
    """Images as rows of pixels between 0 and 1, and which digit each shows."""

    images: np.ndarray[Any, Any]
    digits: np.ndarray[Any, Any]


def initial_network(seed: int, pixels: int = 64, hidden: int = 32, classes: int = 10) -> Network:
    """Random weights of a size that keeps the variance from layer to layer; no bias."""
    rng = np.random.default_rng(seed)
    return Network(
        rng.normal(size=(pixels, hidden)) / np.sqrt(pixels),
        np.zeros(hidden),
        rng.normal(size=(hidden, classes)) / np.sqrt(hidden),
        np.zeros(classes),
    )


def scores(network: Network, images: Any) -> Any:
    """(n, 64) pixels → (n, 10) scores."""
    hidden = np.tanh(images @ network.hidden_weights + network.hidden_bias)
    return hidden @ network.score_weights + network.score_bias


def cross_entropy(network: Network, images: Any, digits: Any) -> Any:
    """Mean negative log-probability that the network gives to the true digits."""
    s = scores(network, images)
    s = s - np.max(s, axis=1, keepdims=True)
    log_total = np.log(np.sum(np.exp(s), axis=1))
    return np.mean(log_total - s[np.arange(len(digits)), digits])


def entropy(network: Network, data: Data) -> float:
    """Cross-entropy on a part of the data."""
    return float(cross_entropy(network, data.images, data.digits))


def penalised_loss(network: Network, images: Any, digits: Any) -> Any:
    """Cross-entropy and the penalty; this is what is minimised."""
    size = np.sum(network.hidden_weights**2) + np.sum(network.score_weights**2)
    return cross_entropy(network, images, digits) + DECAY * size


def load(seed: int) -> tuple[Data, Data]:
    """Three quarters of the 1,797 images to learn from, and a quarter held out."""
    images, digits = load_digits(return_X_y=True)
    parts = train_test_split(images / 16.0, digits, test_size=0.25, stratify=digits, random_state=seed)
    return Data(parts[0], parts[2]), Data(parts[1], parts[3])


def fit(network: Network, train: Data, held_out: Data, iterations: int) -> tuple[Network, History]:
    """The trained network, and how it got there."""
    start, unravel = cr.ravel(network)
    history: History = []

    def objective(vector: Any) -> tuple[float, Any]:
        loss, gradient = cr.value_and_grad(penalised_loss)(unravel(vector), train.images, train.digits)
        return loss, cr.ravel(gradient)[0]

    with tqdm(total=iterations, desc="training", unit="iteration") as bar:

        def show(intermediate_result: OptimizeResult) -> None:
            now = unravel(intermediate_result.x)
            history.append((entropy(now, train), entropy(now, held_out)))
            bar.set_postfix(loss=f"{intermediate_result.fun:.4f}", refresh=False)
            bar.update()

        result = minimize(
            objective, start, jac=True, method="L-BFGS-B", callback=show, options={"maxiter": iterations}
        )
    return unravel(result.x), history


def draw(network: Network, data: Data, history: History, accuracy: float) -> Figure:
    """The loss by iteration, beside the held-out digits that the network misread."""
    figure = Figure(figsize=(11, 5), layout="constrained")
    halves: Any = figure.subfigures(1, 2)
    left, right = halves
    axes = left.subplots()
    for curve, label in zip(np.transpose(history), ("training", "held out"), strict=True):
        axes.semilogy(1 + np.arange(len(curve)), curve, label=label)
    axes.set(title="Loss while training", xlabel="L-BFGS iteration", ylabel="cross-entropy (nats per image)")
    axes.grid(alpha=0.3)
    axes.legend()

    guesses = np.argmax(scores(network, data.images), axis=1)
    wrong = np.flatnonzero(guesses != data.digits)
    right.suptitle(f"{len(wrong)} of {len(guesses)} held-out digits misread: accuracy {accuracy:.1%}")
    rows = min(max(-(-len(wrong) // 5), 2), 5)
    for i, cell in enumerate(right.subplots(rows, 5).flat):
        cell.set_axis_off()
        if i < len(wrong):
            cell.imshow(data.images[wrong[i]].reshape(8, 8), cmap="gray_r", vmin=0, vmax=1)
            cell.set_title(f"{data.digits[wrong[i]]} read as {guesses[wrong[i]]}", fontsize=10)
    return figure


def main(iterations: int = 80, output: Path = OUTPUT, seed: int = 0) -> float:
    """Train, draw, and return the accuracy on the digits held out."""
    train, held_out = load(seed)
    network = initial_network(seed)
    print(f"{len(train.digits)} digits to learn from, {len(held_out.digits)} held out")
    network, history = fit(network, train, held_out, iterations)

    guesses = np.argmax(scores(network, held_out.images), axis=1)
    accuracy = float(np.mean(guesses == held_out.digits))
    print(f"loss {history[0][0]:.3f} → {history[-1][0]:.3f} after {len(history)} iterations")
    print(f"accuracy on held-out digits: {accuracy:.3f}")

    output.mkdir(parents=True, exist_ok=True)
    draw(network, held_out, history, accuracy).savefig(output / "fit_digits.png", dpi=120)
    print(f"plot: {output / 'fit_digits.png'}")
    return accuracy


if __name__ == "__main__":
    main()
