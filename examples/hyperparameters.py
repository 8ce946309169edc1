"""Hyperparameters: how strongly should a logistic regression be regularised? By gradients, against a grid.

The data are scikit-learn's breast_cancer: 569 tumours, 30 measurements of each, malignant or benign. A
logistic regression is fitted to a third of them, with the penalty ½ Σ exp(ρ_g) w² on its weights: one
strength ρ for the 20 means and worst values, and one for the 10 standard errors. The strengths are chosen
by the loss on the second third: `validation_loss` fits by `scipy.optimize.minimize`, and its gradient goes
through the minimum by the implicit function theorem, w′ = −H⁻¹ ∂ρ∇L, whatever steps the optimiser took. An
outer `minimize` follows that gradient. A grid search fits at every pair of strengths on a square and is
drawn beneath the path. The last third says how good the choice is. Sources: Bengio, Neural Computation 12,
2000; Pedregosa, ICML 2016 (the gradient); Street, Wolberg & Mangasarian, SPIE 1905, 1993 (the data).

Run `python scripts/run.py hyperparameters`, or this file where chainrules[examples] is installed. It
writes examples/output/hyperparameters.png: path and grid, the best loss by the number of fits, the weights.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import minimize
from sklearn.datasets import load_breast_cancer
from tqdm import tqdm

import chainrules as cr

OUTPUT = Path(__file__).parent / "output"
GROUPS = np.repeat([0, 1, 0], 10)  # means, standard errors, worst values
START = np.array([-5.0, 4.0])
RANGE = (-7.0, 6.0)


class Part(NamedTuple):
    """Some of the tumours: their measurements, and 1 where they are benign, else −1."""

    x: Any
    sign: Any


def parts(seed: int = 0) -> list[Part]:
    """Training, validation and test tumours, in the measures of the training tumours."""
    data = load_breast_cancer()
    order = np.array_split(np.random.default_rng(seed).permutation(len(data.target)), 3)
    mean, deviation = data.data[order[0]].mean(axis=0), data.data[order[0]].std(axis=0)
    return [Part((data.data[i] - mean) / deviation, 2.0 * data.target[i] - 1) for i in order]


def surprise(w: Any, part: Part) -> Any:
    """The mean of −log p of what the tumours are, for weights and an intercept."""
    return np.mean(np.logaddexp(0.0, -part.sign * (part.x @ w[:-1] + w[-1])))


def penalised(w: Any, strengths: Any, part: Part) -> Any:
    """What the fit makes least."""
    return surprise(w, part) + 0.5 * np.sum(np.exp(strengths)[GROUPS] * w[:-1] ** 2) / len(part.sign)


def slope(w: Any, strengths: Any, part: Part) -> Any:
    """For the optimiser alone: the derivative by the weights."""
    return cr.grad(penalised)(w, strengths, part)


def curvature(w: Any, strengths: Any, part: Part) -> Any:
    """For the optimiser alone: the second derivative by the weights, XᵀDX and the penalty's."""
    p = 1 / (1 + np.exp(-(part.x @ w[:-1] + w[-1])))
    x = np.column_stack([part.x, np.ones(len(p))])
    penalty = np.append(np.exp(strengths)[GROUPS], 0.0)
    return (x.T * (p * (1 - p))) @ x / len(p) + np.diag(penalty) / len(p)


def fit(strengths: Any, part: Part) -> Any:
    """The weights, by Newton's method with a region of trust."""
    start = np.zeros(part.x.shape[1] + 1)
    return minimize(
        penalised, start, args=(strengths, part), method="trust-exact", jac=slope, hess=curvature,
        options={"gtol": 1e-8},
    ).x  # fmt: skip


def validation_loss(strengths: Any, training: Part, validation: Part) -> Any:
    """The surprise of the validation tumours after a fit to the training tumours."""
    return surprise(fit(strengths, training), validation)


def difference_error(strengths: Any, training: Part, validation: Part, step: float = 1e-3) -> float:
    """Largest deviation of the gradient from central differences, over the largest entry."""
    gradient = cr.grad(validation_loss)(strengths, training, validation)
    differences = [
        (
            validation_loss(strengths + e, training, validation)
            - validation_loss(strengths - e, training, validation)
        )
        / (2 * step)
        for e in step * np.eye(len(strengths))
    ]
    return float(np.max(np.abs(gradient - differences)) / np.max(np.abs(gradient)))


def follow(training: Part, validation: Part, iterations: int) -> tuple[Any, Any]:
    """The strengths at every fit of the search by gradients, and their losses."""
    seen: list[tuple[Any, float]] = []
    value_and_gradient = cr.value_and_grad(validation_loss)
    with tqdm(desc="following the gradient", unit="fit") as bar:

        def judged(strengths: Any) -> Any:
            loss, gradient = value_and_gradient(strengths, training, validation)
            seen.append((strengths.copy(), float(loss)))
            bar.set_postfix({"loss": f"{loss:.4f}"}, refresh=False)
            bar.update()
            return loss, gradient

        minimize(
            judged, START, jac=True, method="L-BFGS-B", bounds=[RANGE, RANGE],
            options={"maxiter": iterations, "ftol": 1e-9},
        )  # fmt: skip
    return np.array([strengths for strengths, _ in seen]), np.array([loss for _, loss in seen])


def search(training: Part, validation: Part, side: int) -> tuple[Any, Any]:
    """Strengths on a side of a square grid, and the losses on the square."""
    axis = np.linspace(*RANGE, side)
    losses = np.empty((side, side))
    for i, j in tqdm(list(np.ndindex(side, side)), desc="searching the grid", unit="fit"):
        losses[i, j] = validation_loss(np.array([axis[i], axis[j]]), training, validation)
    return axis, losses


def draw(path: Any, found: Any, axis: Any, losses: Any, weights: dict[str, Any]) -> Figure:
    """The path on the grid, the best loss by fits, and the weights before and after."""
    figure = Figure(figsize=(14, 4.5), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    shown = left.contourf(
        axis, axis, losses.T, levels=np.geomspace(losses.min(), losses.max(), 25), cmap="viridis_r"
    )
    figure.colorbar(shown, ax=left, format="%.3f")
    left.plot(*path.T, "o-", color="white", markeredgecolor="black", label="by the gradient")
    left.plot(*path[np.argmin(found)], "*", color="red", markersize=14, label="its best")
    best = np.unravel_index(np.argmin(losses), losses.shape)
    left.plot(axis[best[0]], axis[best[1]], "x", color="black", markersize=10, label="the grid's best")
    left.set(
        title="Validation loss", xlabel="log strength, means and worst values", ylabel="log strength, errors"
    )
    rng = np.random.default_rng(0)
    orders = [np.minimum.accumulate(rng.permutation(losses.ravel())) for _ in range(500)]
    for name, values in (
        ("gradient", np.minimum.accumulate(found)),
        ("grid, mean of random orders", np.mean(orders, axis=0)),
    ):
        middle.loglog(1 + np.arange(len(values)), values, label=name)
    middle.set(title="The best loss so far", xlabel="fits", ylabel="validation loss")
    for name, w in weights.items():
        right.plot(w[:-1], "o", label=name, markersize=4)
    right.set(title="Weights", xlabel="measurement", ylabel="weight")
    for axes in (left, middle, right):
        axes.legend(fontsize=8)
    return figure


def main(iterations: int = 30, side: int = 21, output: Path = OUTPUT) -> tuple[float, Any, Any]:
    """Check the gradient, follow it, search the grid, draw.

    Returns the gradient's error, the losses on the way, and those of the grid.
    """
    training, validation, test = parts()
    error = difference_error(START, training, validation)
    print(f"gradient by 2 strengths against central differences: relative error {error:.1e}")
    path, found = follow(training, validation, iterations)
    axis, losses = search(training, validation, side)
    best = path[np.argmin(found)]
    print(f"by the gradient: loss {np.min(found):.4f} after {len(found)} fits, at {np.round(best, 2)}")
    print(f"by the grid:     loss {np.min(losses):.4f} after {losses.size} fits")
    weights = {"at the start": fit(START, training), "as chosen": fit(best, training)}
    for name, w in weights.items():
        right = np.mean(np.sign(test.x @ w[:-1] + w[-1]) == test.sign)
        print(f"{name}: surprise of the test tumours {surprise(w, test):.4f}, {right:.1%} right")
    output.mkdir(parents=True, exist_ok=True)
    draw(path, found, axis, losses, weights).savefig(output / "hyperparameters.png", dpi=120)
    print(f"plot: {output / 'hyperparameters.png'}")
    return error, found, losses


if __name__ == "__main__":
    main()
