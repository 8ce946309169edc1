"""Fit a mixture of Gaussians with full covariances to Fisher's iris flowers, by its gradient.

The objective is the mixture problem of the ADBench suite, in its parametrisation: component k has a weight
αₖ (softmax of `alphas`), a mean μₖ and a row of `icf`, D log-diagonals q and then a strict lower triangle l
by columns, which make the triangular Qₖ with Qₖᵀ Qₖ = Σₖ⁻¹. What is maximised is the log-likelihood

    Σᵢ logsumexpₖ(αₖ + Σ qₖ − ½ ‖Qₖ (xᵢ − μₖ)‖²) − N logsumexp(α) − ½ N D log 2π

plus the log-density Σₖ m Σ qₖ − ½ γ² (‖exp qₖ‖² + ‖lₖ‖²) + const of the Wishart prior, which keeps a
component from shrinking onto one flower. (The suite's programs add this prior with the opposite sign, which a
benchmark of gradients does not notice; a fit would be rewarded without end for shrinking.)
Source: Šrajer, Kukelova, Fitzgibbon, "A benchmark of selected algorithmic differentiation tools", 2018.

Run `python scripts/run.py gaussian_mixture`, or this file where chainrules[examples] is installed.
It writes examples/output/gaussian_mixture.png: the clusters, and the log-likelihood.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Ellipse
from scipy.optimize import OptimizeResult, minimize
from scipy.special import multigammaln
from sklearn.cluster import kmeans_plusplus
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score
from tqdm import tqdm

import chainrules as cr

OUTPUT = Path(__file__).parent / "output"
GAMMA, M = 0.1, 0  # the prior: weak, for measurements scaled to variance 1
COLOURS = ("tab:blue", "tab:orange", "tab:green")  # of the components
MARKERS = ("o", "^", "s")  # of the species


@dataclass
class Flowers:
    """Measurements scaled to mean 0 and variance 1, what undoes the scaling, and the species."""

    x: np.ndarray[Any, Any]
    centre: np.ndarray[Any, Any]
    spread: np.ndarray[Any, Any]
    names: list[str]
    species: np.ndarray[Any, Any]
    kinds: list[str]


@dataclass
class Mixture:
    """K components in D dimensions: alphas (K,), means (K, D), icf (K, D + D (D − 1) / 2)."""

    alphas: np.ndarray[Any, Any]
    means: np.ndarray[Any, Any]
    icf: np.ndarray[Any, Any]


def load() -> Flowers:
    """The 150 flowers, four measurements each."""
    iris = load_iris()
    centre, spread = iris.data.mean(axis=0), iris.data.std(axis=0)
    x = (iris.data - centre) / spread
    return Flowers(x, centre, spread, iris.feature_names, iris.target, list(iris.target_names))


def initial_mixture(x: Any, components: int, seed: int) -> Mixture:
    """Means at flowers far from one another, unit covariances, equal weights."""
    means, _ = kmeans_plusplus(x, components, random_state=seed)
    d = x.shape[1]
    return Mixture(np.zeros(components), means, np.zeros((components, d * (d + 1) // 2)))


def triangle_places(d: int) -> Any:
    """(d, d): where in a row [exp q, l, 0] each entry of Q stands."""
    places = np.full((d, d), d * (d + 1) // 2)
    places[np.diag_indices(d)] = np.arange(d)
    places.T[np.triu_indices(d, 1)] = np.arange(d, d * (d + 1) // 2)
    return places


def factors(icf: Any, d: int) -> Any:
    """(K, D, D): the triangular factor Q of each component's inverse covariance."""
    rows = np.concatenate([np.exp(icf[:, :d]), icf[:, d:], np.zeros((len(icf), 1))], axis=1)
    return rows[:, triangle_places(d)]


def logsumexp(a: Any) -> Any:
    """log Σ exp a along the last axis, without overflow."""
    largest = np.max(a, axis=-1, keepdims=True)
    return np.log(np.sum(np.exp(a - largest), axis=-1)) + largest[..., 0]


def component_logs(mixture: Mixture, x: Any) -> Any:
    """(N, K): αₖ + log-density of each point in each component, but for ½ D log 2π."""
    d = x.shape[1]
    centred = x[:, None, :] - mixture.means
    scaled = np.einsum("kij,nkj->nki", factors(mixture.icf, d), centred)
    return mixture.alphas + np.sum(mixture.icf[:, :d], axis=1) - 0.5 * np.sum(scaled**2, axis=2)


def log_likelihood(mixture: Mixture, x: Any) -> Any:
    """Log-probability density of all points together."""
    n, d = x.shape
    points = np.sum(logsumexp(component_logs(mixture, x)))
    return points - n * logsumexp(mixture.alphas) - 0.5 * n * d * np.log(2 * np.pi)


def log_wishart_prior(icf: Any, d: int, gamma: float, m: int) -> Any:
    """Log-density of the prior over all factors; Γ_D is the multivariate gamma function."""
    n = d + m + 1
    constant = n * d * (np.log(gamma) - 0.5 * np.log(2)) - multigammaln(0.5 * n, d)
    logs, lower = icf[:, :d], icf[:, d:]
    frobenius = np.sum(np.exp(logs) ** 2) + np.sum(lower**2)
    return m * np.sum(logs) - 0.5 * gamma**2 * frobenius + len(icf) * constant


def log_posterior(mixture: Mixture, x: Any) -> Any:
    """Log-likelihood and log-prior; this is what is maximised."""
    return log_likelihood(mixture, x) + log_wishart_prior(mixture.icf, x.shape[1], GAMMA, M)


def difference_error(mixture: Mixture, x: Any, step: float = 1e-5) -> float:
    """Largest deviation of the gradient from central differences, over the largest entry."""
    vector, unravel = cr.ravel(mixture)
    gradient = cr.ravel(cr.grad(log_posterior)(mixture, x))[0]
    ups_and_downs = ((vector + e, vector - e) for e in step * np.eye(len(vector)))
    differences = [
        (log_posterior(unravel(up), x) - log_posterior(unravel(down), x)) / (2 * step)
        for up, down in ups_and_downs
    ]
    return float(np.max(np.abs(gradient - differences)) / np.max(np.abs(gradient)))


def fit(mixture: Mixture, x: Any, iterations: int) -> tuple[Mixture, list[float]]:
    """The mixture of greatest posterior density, and the log-likelihood on the way there."""
    start, unravel = cr.ravel(mixture)
    history = [float(log_likelihood(mixture, x))]

    def objective(vector: Any) -> tuple[float, Any]:
        value, gradient = cr.value_and_grad(log_posterior)(unravel(vector), x)
        return -value, -cr.ravel(gradient)[0]

    with tqdm(total=iterations, desc="fitting", unit="iteration") as bar:

        def show(intermediate_result: OptimizeResult) -> None:
            history.append(float(log_likelihood(unravel(intermediate_result.x), x)))
            bar.set_postfix({"log-likelihood": f"{history[-1]:.2f}"}, refresh=False)
            bar.update()

        result = minimize(
            objective, start, jac=True, method="L-BFGS-B", callback=show, options={"maxiter": iterations}
        )
        bar.total = len(history) - 1  # it may have converged before
    return unravel(result.x), history


def ellipse(mean: Any, covariance: Any, colour: str) -> Ellipse:
    """The contour of a two-dimensional Gaussian two standard deviations from its mean."""
    variances, directions = np.linalg.eigh(covariance)
    width, height = 4 * np.sqrt(variances)
    angle = np.degrees(np.arctan2(directions[1, 0], directions[0, 0]))
    return Ellipse(mean, width, height, angle=angle, facecolor="none", edgecolor=colour, linewidth=2)


def draw_clusters(axes: Axes, mixture: Mixture, flowers: Flowers, pair: tuple[int, int]) -> None:
    """Flowers in two of their measurements, and the components' ellipses."""
    members = np.argmax(component_logs(mixture, flowers.x), axis=1)
    centimetres = (flowers.x * flowers.spread + flowers.centre)[:, pair]
    for k, colour in enumerate(COLOURS):
        for kind, marker in enumerate(MARKERS):
            chosen = centimetres[(members == k) & (flowers.species == kind)]
            axes.scatter(chosen[:, 0], chosen[:, 1], s=18, marker=marker, color=colour, alpha=0.6)
        q = factors(mixture.icf, len(flowers.spread))[k]
        covariance = np.linalg.inv(q.T @ q) * np.outer(flowers.spread, flowers.spread)
        mean = mixture.means[k] * flowers.spread + flowers.centre
        axes.add_patch(ellipse(mean[list(pair)], covariance[np.ix_(pair, pair)], colour))
    axes.set(xlabel=flowers.names[pair[0]], ylabel=flowers.names[pair[1]])


def draw(mixture: Mixture, flowers: Flowers, history: list[float]) -> Figure:
    """Components and species in petals and in sepals, and the log-likelihood by iteration."""
    figure = Figure(figsize=(13, 4.5), layout="constrained")
    petals, sepals, curve = figure.subplots(1, 3)
    draw_clusters(petals, mixture, flowers, (2, 3))
    draw_clusters(sepals, mixture, flowers, (0, 1))
    for kind, marker in zip(flowers.kinds, MARKERS, strict=True):
        petals.scatter([], [], marker=marker, color="grey", label=kind)
    petals.plot([], [], color="grey", linewidth=2, label="component, 2σ")
    petals.legend(loc="upper left")
    petals.set_title("Petals: colour is the component found")
    sepals.set_title("Sepals: the same components")
    curve.plot(history, color="black")
    curve.set(title="Log-likelihood while fitting", xlabel="L-BFGS iteration")
    curve.set_ylabel("log-likelihood (nats)")
    curve.grid(alpha=0.3)
    return figure


def main(iterations: int = 300, output: Path = OUTPUT, seed: int = 0) -> tuple[float, list[float]]:
    """Check the gradient, fit, draw; return the gradient's error and the log-likelihoods."""
    flowers = load()
    mixture = initial_mixture(flowers.x, len(COLOURS), seed)
    print(f"{flowers.x.shape[0]} flowers, {flowers.x.shape[1]} measurements, {len(COLOURS)} components")
    error = difference_error(mixture, flowers.x)
    size = len(cr.ravel(mixture)[0])
    print(f"gradient of {size} parameters against central differences: relative error {error:.1e}")

    mixture, history = fit(mixture, flowers.x, iterations)
    members = np.argmax(component_logs(mixture, flowers.x), axis=1)
    agreement = adjusted_rand_score(flowers.species, members)
    print(f"log-likelihood {history[0]:.2f} → {history[-1]:.2f} after {len(history) - 1} iterations")
    print(
        f"agreement with the species, which it was not told: {agreement:.2f} (adjusted Rand index, at most 1)"
    )

    output.mkdir(parents=True, exist_ok=True)
    draw(mixture, flowers, history).savefig(output / "gaussian_mixture.png", dpi=120)
    print(f"plot: {output / 'gaussian_mixture.png'}")
    return error, history


if __name__ == "__main__":
    main()
