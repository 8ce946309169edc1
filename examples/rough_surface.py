"""How rough is a mountain? Fit a Matérn process to terrain by its gradient, its smoothness ν included.

The data are matplotlib's elevations around the Jacksboro fault in Tennessee, of which a patch of a coarser
grid is used. Heights y less their mean are taken to be a draw of a Gaussian process whose covariance at
distance d is

    k(d) = σ² 2¹⁻ᵛ/Γ(ν) rᵛ K_ν(r),   r = √(2ν) d/ℓ,   k(0) = σ² + τ²,

with smoothness ν, length ℓ, variance σ² and nugget τ² (what is rough below the grid, and rounding to metres).
The process has m derivatives where ν > m. Maximised is log N(y; 0, K), over the logarithms of the four; its
gradient takes the Bessel function K_ν by its order, and Γ. On a grid the n² distances have about n different
values, so k is computed once for each, and indexing makes the matrix. Distance 0, where rᵛ K_ν(r) is 0 times
∞, is one of them and is put in by its limit; a `np.where` would compute the undefined branch too, and its
derivative. The posterior under a weak prior is then sampled by Hamiltonian Monte Carlo, which needs the same
gradient. Sources: Matérn, "Spatial variation", 1960; Stein, "Interpolation of spatial data", 1999, §2.7;
Neal, "MCMC using Hamiltonian dynamics", 2011.

Run `python scripts/run.py rough_surface`, or this file where chainrules[examples] is installed.
It writes examples/output/rough_surface.png: elevation, profile likelihood over ν, samples of the posterior.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cbook import get_sample_data
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator
from scipy.linalg import solve_triangular
from scipy.optimize import OptimizeResult, minimize
from scipy.special import gamma, kve
from tqdm import tqdm

import chainrules as cr

OUTPUT = Path(__file__).parent / "output"
KM_PER_DEGREE = 111.2  # of latitude
STRIDE, CORNER = 4, (200, 250)  # of the patch, in cells of the data
START = np.log([1.0, 1.0, 1.0, 0.01])  # of ν, ℓ in km, σ² and τ² in (100 m)²
BOUNDS = np.log([(0.1, 10), (0.05, 100), (1e-2, 1e3), (1e-6, 10)])
SPAN = 0.45, 4.5  # of the profile, about the smoothness of greatest likelihood
PRIOR_SPREAD = 2.0  # of each logarithm around START: a factor of e² either way


@dataclass
class Surface:
    """Heights in 100 m about their mean, the different distances in km, which of them each pair has."""

    heights: np.ndarray[Any, Any]  # (n,)
    distances: np.ndarray[Any, Any]  # (n,), the first is 0
    pairs: np.ndarray[Any, Any]  # (n, n), indices into `distances`


@dataclass
class Terrain:
    """Elevations in metres, and the size of a cell in km, south and east."""

    elevation: np.ndarray[Any, Any]
    cell: tuple[float, float]


def load() -> Terrain:
    """The 344 × 403 elevations, a cell of three seconds of arc each."""
    data: Any = get_sample_data("jacksboro_fault_dem.npz")
    latitude = np.radians((data["ymin"] + data["ymax"]) / 2)
    south, east = KM_PER_DEGREE * data["dy"], KM_PER_DEGREE * data["dx"] * np.cos(latitude)
    return Terrain(data["elevation"].astype(float), (float(south), float(east)))


def patch(terrain: Terrain, side: int) -> Surface:
    """Side × side points of every fourth row and column."""
    rows, columns = (slice(first, first + side * STRIDE, STRIDE) for first in CORNER)
    heights = terrain.elevation[rows, columns].ravel() / 100
    i, j = np.divmod(np.arange(side**2), side)
    distances = STRIDE * np.hypot(i * terrain.cell[0], j * terrain.cell[1])
    pairs = np.abs(i[:, None] - i) * side + np.abs(j[:, None] - j)
    return Surface(heights - heights.mean(), distances, pairs)


def matern(distance: Any, smoothness: Any, length: Any) -> Any:
    """Correlation at distances that are not 0. K_ν is kve without its factor exp r."""
    r = np.sqrt(2 * smoothness) * distance / length
    return 2 ** (1 - smoothness) / gamma(smoothness) * r**smoothness * kve(smoothness, r) * np.exp(-r)


def covariance(logs: Any, surface: Surface) -> Any:
    """(n, n): k at the distance of every pair of points."""
    smoothness, length, variance, nugget = np.exp(logs)
    apart = variance * matern(surface.distances[1:], smoothness, length)
    return np.concatenate([np.reshape(variance + nugget, 1), apart])[surface.pairs]


def log_likelihood(logs: Any, surface: Surface) -> Any:
    """log N(y; 0, K) with K = L Lᵀ: −½ ‖L⁻¹ y‖² − Σ log Lᵢᵢ − ½ n log 2π."""
    factor = np.linalg.cholesky(covariance(logs, surface))
    white = solve_triangular(factor, surface.heights, lower=True)
    normaliser = np.sum(np.log(np.diag(factor))) + 0.5 * len(surface.heights) * np.log(2 * np.pi)
    return -0.5 * np.sum(white**2) - normaliser


def log_posterior(logs: Any, surface: Surface) -> Any:
    """Log-likelihood, and a normal prior of the four logarithms, but for a constant."""
    return log_likelihood(logs, surface) - 0.5 * np.sum(((logs - START) / PRIOR_SPREAD) ** 2)


def difference_error(logs: Any, surface: Surface, step: float = 1e-4) -> float:
    """Largest deviation of the gradient from central differences, over the largest entry."""
    gradient = cr.grad(log_likelihood)(logs, surface)
    differences = [
        (log_likelihood(logs + e, surface) - log_likelihood(logs - e, surface)) / (2 * step)
        for e in step * np.eye(len(logs))
    ]
    return float(np.max(np.abs(gradient - differences)) / np.max(np.abs(gradient)))


def fit(surface: Surface, iterations: int) -> tuple[Any, list[float]]:
    """The logarithms of greatest likelihood, and the log-likelihood on the way there."""
    history = [float(log_likelihood(START, surface))]

    def objective(logs: Any) -> tuple[float, Any]:
        value, gradient = cr.value_and_grad(log_likelihood)(logs, surface)
        return -value, -gradient

    with tqdm(total=iterations, desc="fitting", unit="iteration") as bar:

        def show(intermediate_result: OptimizeResult) -> None:
            history.append(-float(intermediate_result.fun))
            bar.set_postfix({"log-likelihood": f"{history[-1]:.2f}"}, refresh=False)
            bar.update()

        options = {"maxiter": iterations}
        result = minimize(
            objective, START, jac=True, method="L-BFGS-B", bounds=BOUNDS, callback=show, options=options
        )
        bar.total = len(history) - 1  # it may have converged before
    return result.x, history


def profile(smoothnesses: Any, best: Any, surface: Surface) -> Any:
    """The log-likelihood at each smoothness, maximised over the other three."""

    def objective(others: Any, log_smoothness: float) -> Any:
        return -log_likelihood(np.concatenate([np.array([log_smoothness]), others]), surface)

    values = []
    for smoothness in tqdm(smoothnesses, desc="profile", unit="smoothness"):
        arguments = {"args": (np.log(smoothness),), "jac": True, "method": "L-BFGS-B", "bounds": BOUNDS[1:]}
        values.append(-minimize(cr.value_and_grad(objective), best[1:], **arguments).fun)
    return np.array(values)


def hmc(
    density: Callable[[Any], tuple[Any, Any]], start: Any, scale: Any, samples: int, seed: int
) -> tuple[Any, float]:
    """Draws of exp(density), given with its gradient, and the share of moves accepted.

    A point is start + scale u. With u goes a momentum of unit variance; leapfrog steps follow both along a
    path of about constant energy, and a move whose energy rose by δ is kept with probability exp −δ.
    """
    rng, step = np.random.default_rng(seed), 0.35

    def value_and_slope(u: Any) -> tuple[float, Any]:
        try:
            value, gradient = density(start + scale @ u)
        except np.linalg.LinAlgError:  # the covariance is singular in floating point: never go there
            return -np.inf, np.zeros_like(u)
        return float(value), scale.T @ gradient

    u = np.zeros(len(start))
    value, slope = value_and_slope(u)
    draws, accepted = [], 0
    for _ in tqdm(range(samples), desc="sampling", unit="sample"):
        momentum = rng.normal(size=len(u))
        energy = 0.5 * momentum @ momentum - value
        end, end_value, end_slope = u, value, slope
        for _ in range(rng.integers(2, 7)):  # of random length, so that no path closes on itself
            momentum = momentum + 0.5 * step * end_slope
            end = end + step * momentum
            end_value, end_slope = value_and_slope(end)
            momentum = momentum + 0.5 * step * end_slope
        rise = 0.5 * momentum @ momentum - end_value - energy
        if rng.exponential() > rise:
            u, value, slope, accepted = end, end_value, end_slope, accepted + 1
        draws.append(start + scale @ u)
    return np.array(draws), accepted / samples


def sample(best: Any, surface: Surface, samples: int, seed: int) -> tuple[Any, float]:
    """Draws of the posterior, in coordinates in which it is about round: by its curvature at the fit."""
    precision = -cr.hessian(log_posterior)(best, surface)
    scale = np.linalg.inv(np.linalg.cholesky(precision)).T
    return hmc(lambda logs: cr.value_and_grad(log_posterior)(logs, surface), best, scale, samples, seed)


def draw_terrain(axes: Axes, terrain: Terrain, side: int) -> None:
    """The elevation, and a frame around the points used."""
    (rows, columns), (south, east) = terrain.elevation.shape, terrain.cell
    image = axes.imshow(terrain.elevation, cmap="terrain", extent=(0, columns * east, rows * south, 0))
    frame = (CORNER[1] * east, CORNER[0] * south), side * STRIDE * east, side * STRIDE * south
    axes.indicate_inset((*frame[0], *frame[1:]), edgecolor="black", linewidth=2, alpha=1)
    axes.set(title="Elevation, and the patch fitted", xlabel="east (km)", ylabel="south (km)")
    axes.figure.colorbar(image, ax=axes, label="metres", shrink=0.7)


def draw(
    terrain: Terrain, side: int, best: Any, highest: float, curve: tuple[Any, Any], draws: Any
) -> Figure:
    """Terrain, profile likelihood over ν with its maximum, and the draws of ν and ℓ."""
    figure = Figure(figsize=(14, 4.5), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    draw_terrain(left, terrain, side)
    middle.plot(*curve, color="black", marker=".")
    label = f"maximum, ν = {np.exp(best[0]):.2f}"
    middle.plot(np.exp(best[0]), highest, "*", color="tab:red", markersize=14, label=label)
    middle.axhline(highest - 1.92, color="grey", linestyle="--", label="95% interval")  # ½ χ²₁(0.95)
    middle.set(title="Profile likelihood", xlabel="smoothness ν", ylabel="log-likelihood (nats)")
    smoothness, length = np.exp(draws[:, :2]).T
    right.scatter(smoothness, length, s=10, alpha=0.4, label="posterior, by HMC")
    right.plot(*np.exp(best[:2]), "*", color="tab:red", markersize=14, label="greatest likelihood")
    right.set(title="Posterior", xlabel="smoothness ν", ylabel="length ℓ (km)")
    for axes in (middle, right):
        axes.set_xscale("log")
        axes.xaxis.set(major_locator=LogLocator(subs=(1, 2, 5)), major_formatter="{x:g}", minor_formatter="")
        axes.legend()
        axes.grid(alpha=0.3)
    return figure


def main(
    side: int = 18,
    iterations: int = 100,
    samples: int = 300,
    points: int = 13,
    output: Path = OUTPUT,
    seed: int = 0,
) -> tuple[float, list[float], tuple[Any, Any], Any]:
    """Check the gradient, fit, profile, sample, draw.

    Returns the gradient's error, the log-likelihoods, the profile and the draws.
    """
    terrain = load()
    surface = patch(terrain, side)
    error = difference_error(START, surface)
    print(f"{side**2} points; gradient against central differences: relative error {error:.1e}")

    best, history = fit(surface, iterations)
    print(f"log-likelihood {history[0]:.2f} → {history[-1]:.2f} after {len(history) - 1} iterations")
    smoothness, length, variance, nugget = np.exp(best)
    print(f"smoothness {smoothness:.3f}, length {length:.3f} km, ", end="")
    print(f"deviation {100 * np.sqrt(variance):.1f} m, nugget's {100 * np.sqrt(nugget):.2f} m")

    smoothnesses = smoothness * np.geomspace(*SPAN, points)
    curve = smoothnesses, profile(smoothnesses, best, surface)
    draws, accepted = sample(best, surface, samples, seed)
    low, middle, high = np.exp(np.quantile(draws[:, 0], [0.025, 0.5, 0.975]))
    print(f"posterior of the smoothness: median {middle:.2f}, 95% in [{low:.2f}, {high:.2f}]; ", end="")
    print(f"{accepted:.0%} of the moves accepted")

    output.mkdir(parents=True, exist_ok=True)
    draw(terrain, side, best, history[-1], curve, draws).savefig(output / "rough_surface.png", dpi=120)
    print(f"plot: {output / 'rough_surface.png'}")
    return error, history, curve, draws


if __name__ == "__main__":
    main()
