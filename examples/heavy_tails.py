"""How bad can a day be? A skewed Student distribution of stock returns: its fit, its tail, how sure both are.

The data are matplotlib's prices of one share from its first day in August 2004 to October 2008, of which the
changes of the logarithm from day to day, in per cent, are taken to be draws of Jones and Faddy's skew t
distribution. Its lower tail falls off as |x|^(−2a − 1) and its upper one as x^(−2b − 1). Location and scale
are two more parameters. SciPy has it as `stats.jf_skew_t`, whose methods have derivatives by all of them:

- the logarithms of a, b and the scale, and the location, are those of greatest likelihood, by its gradient;
- their standard errors are the inverse of the likelihood's Hessian;
- the value at risk is the quantile, `ppf`, that one day in a hundred falls below; by its gradient the
  standard errors of the parameters become its own;
- the posterior under a weak prior is sampled by PyMC's No-U-Turn sampler where PyMC is installed: the same
  function is then one operation of PyTensor. Elsewhere a Hamiltonian Monte Carlo samples it.

Sources: Jones & Faddy, J. R. Stat. Soc. B 65, 2003 (the distribution); Hoffman & Gelman, JMLR 15, 2014 (the
sampler); Neal, "MCMC using Hamiltonian dynamics", 2011.

Run `python scripts/run.py heavy_tails`, or this file where chainrules[examples] is installed.
It writes examples/output/heavy_tails.png: returns and densities, the two tails, the value at risk.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cbook import get_sample_data
from matplotlib.figure import Figure
from scipy import stats
from scipy.optimize import OptimizeResult, minimize
from tqdm import tqdm

import chainrules as cr

try:
    from .rough_surface import hmc
except ImportError:
    from rough_surface import hmc  # type: ignore[import-not-found, no-redef]  # run as a file

OUTPUT = Path(__file__).parent / "output"
NAMES = "log a", "log b", "location", "log scale"
START = np.array([1.0, 1.0, 0.0, 0.5])
SPREAD = 2.0
"""The standard deviation of each of these before the data, around 0."""
LEVEL = 0.01


@dataclass
class Fit:
    """The parameters of greatest likelihood, their covariance, and the log-likelihood on the way there."""

    best: Any  # (4,)
    covariance: Any  # (4, 4)
    history: list[float]


def load() -> Any:
    """The daily changes of the logarithm of the adjusted price, in per cent: 1046 numbers."""
    data: Any = get_sample_data("goog.npz")
    return 100.0 * np.diff(np.log(data["price_data"]["adj_close"]))


def log_likelihood(parameters: Any, returns: Any) -> Any:
    """Of all returns, by the parameters in the order of `NAMES`."""
    a, b, scale = np.exp(parameters[0]), np.exp(parameters[1]), np.exp(parameters[3])
    return np.sum(stats.jf_skew_t.logpdf(returns, a, b, loc=parameters[2], scale=scale))


def log_posterior(parameters: Any, returns: Any) -> Any:
    """With a normal prior of each parameter, but for a constant."""
    return log_likelihood(parameters, returns) - 0.5 * np.sum((parameters / SPREAD) ** 2)


def value_at_risk(parameters: Any, level: float = LEVEL) -> Any:
    """The loss that is exceeded on this share of days, in per cent."""
    a, b, scale = np.exp(parameters[0]), np.exp(parameters[1]), np.exp(parameters[3])
    return -stats.jf_skew_t.ppf(level, a, b, loc=parameters[2], scale=scale)


def difference_error(returns: Any, step: float = 1e-5) -> float:
    """Largest deviation of the likelihood's gradient from central differences, over its largest entry."""
    gradient = cr.grad(log_likelihood)(START, returns)
    differences = [
        (log_likelihood(START + e, returns) - log_likelihood(START - e, returns)) / (2 * step)
        for e in step * np.eye(len(START))
    ]
    return float(np.max(np.abs(gradient - differences)) / np.max(np.abs(gradient)))


def fit(returns: Any) -> Fit:
    """Greatest likelihood, and the covariance by the inverse of its Hessian."""
    history = [float(log_likelihood(START, returns))]

    def objective(parameters: Any) -> tuple[float, Any]:
        value, gradient = cr.value_and_grad(log_likelihood)(parameters, returns)
        return -value, -gradient

    with tqdm(desc="fitting", unit="iteration") as bar:

        def show(intermediate_result: OptimizeResult) -> None:
            history.append(-float(intermediate_result.fun))
            bar.set_postfix({"log-likelihood": f"{history[-1]:.2f}"}, refresh=False)
            bar.update()

        best = minimize(objective, START, jac=True, method="BFGS", callback=show, options={"gtol": 1e-6}).x
    return Fit(best, np.linalg.inv(-cr.hessian(log_likelihood)(best, returns)), history)


def risk(found: Fit) -> tuple[float, float]:
    """The value at risk at the fit and its standard error, √(gᵀ Σ g) with its gradient g."""
    value, gradient = cr.value_and_grad(value_at_risk)(found.best)
    return float(value), float(np.sqrt(gradient @ found.covariance @ gradient))


def sample(found: Fit, returns: Any, draws: int, seed: int) -> tuple[str, Any]:
    """Which sampler there is, and draws of the posterior by it, (draws, 4)."""
    if find_spec("pymc") is not None:
        return "NUTS", by_nuts(returns, draws, seed)
    scale = np.linalg.cholesky(found.covariance)  # in whose coordinates the posterior is about round
    density = cr.value_and_grad(log_posterior)
    drawn, accepted = hmc(lambda p: density(p, returns), found.best, scale, draws, seed)
    return f"HMC, {accepted:.0%} of the moves accepted", drawn


def by_nuts(returns: Any, draws: int, seed: int) -> Any:
    """PyMC's sampler of the same posterior, the likelihood being one operation of PyTensor."""
    import pymc as pm

    # The first steps, of a size not yet adapted, go where SciPy's density overflows; they are refused there.
    with pm.Model(), np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        parameters = pm.Normal("parameters", 0.0, SPREAD, shape=len(NAMES))
        pm.Potential("returns", cr.to_pytensor(log_likelihood)(parameters, returns))
        inference = pm.sample(
            draws=draws, tune=draws, chains=1, cores=1, random_seed=seed, initvals={"parameters": START},
            progressbar=False,
        )  # fmt: skip
    return inference.posterior["parameters"].to_numpy().reshape(-1, len(NAMES))


def draw_densities(axes: Axes, returns: Any, best: Any) -> None:
    """The returns' histogram, the skew t density and a normal one, on a logarithmic scale."""
    fine = np.linspace(returns.min() - 1.0, returns.max() + 1.0, 500)
    a, b, scale = np.exp(best[[0, 1, 3]])
    axes.hist(returns, bins=70, density=True, color="grey", alpha=0.5, label="returns")
    skewed = stats.jf_skew_t.pdf(fine, a, b, loc=best[2], scale=scale)
    axes.plot(fine, skewed, color="tab:blue", label="skew t")
    normal = stats.norm.pdf(fine, returns.mean(), returns.std())
    axes.plot(fine, normal, color="tab:red", linestyle=":", label="normal")
    axes.set(title="Daily returns", xlabel="per cent", ylabel="density", yscale="log", ylim=(1e-4, 1.0))


def draw(returns: Any, found: Fit, drawn: Any, risks: Any, at_fit: tuple[float, float]) -> Figure:
    """Densities; the posterior of both tails; the value at risk, by the posterior and by the fit."""
    figure = Figure(figsize=(14, 4.5), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    draw_densities(left, returns, found.best)
    degrees, best = 2.0 * np.exp(drawn[:, :2]), 2.0 * np.exp(found.best[:2])
    middle.scatter(*degrees.T, s=8, alpha=0.4, label="posterior")
    middle.plot(*best, "*", color="tab:red", markersize=14, label="greatest likelihood")
    ends = [degrees.min(), degrees.max()]
    middle.plot(ends, ends, color="grey", linestyle="--", label="no skew")
    middle.set(title="Degrees of freedom of the tails", xlabel="lower tail, 2a", ylabel="upper tail, 2b")
    fine = np.linspace(risks.min(), risks.max(), 200)
    right.hist(risks, bins=30, density=True, alpha=0.5, label="posterior")
    right.plot(fine, stats.norm.pdf(fine, *at_fit), color="tab:red", label="fit, by the gradient")
    right.axvline(-np.quantile(returns, LEVEL), color="black", linestyle=":", label="of the data alone")
    right.set(title="A loss that one day in 100 exceeds", xlabel="per cent", ylabel="density")
    for axes in (left, middle, right):
        axes.legend(fontsize=8)
        axes.grid(alpha=0.3)
    return figure


def main(
    draws: int = 600, output: Path = OUTPUT, seed: int = 1
) -> tuple[float, Fit, tuple[float, float], Any]:
    """Check the gradient, fit, price the tail, sample, draw.

    Returns the gradient's error, the fit, the value at risk with its standard error, and the draws.
    """
    returns = load()
    error = difference_error(returns)
    print(f"{len(returns)} returns; gradient against central differences: relative error {error:.1e}")
    found = fit(returns)
    first, last = found.history[0], found.history[-1]
    print(f"log-likelihood {first:.2f} → {last:.2f} in {len(found.history) - 1} steps")
    for name, value, spread in zip(NAMES, found.best, np.sqrt(np.diag(found.covariance)), strict=True):
        print(f"{name:>10} {value:7.3f} ± {spread:.3f}")
    at_fit = risk(found)
    print(f"one day in 100 loses more than {at_fit[0]:.2f} ± {at_fit[1]:.2f} per cent; ", end="")
    print(f"{np.mean(returns < -at_fit[0]):.1%} of the days did")
    sampler, drawn = sample(found, returns, draws, seed)
    risks = np.array([value_at_risk(p) for p in drawn])
    low, high = np.quantile(risks, [0.025, 0.975])
    print(f"{sampler}: in the posterior it is {risks.mean():.2f}, with 95% between {low:.2f} and {high:.2f}")
    output.mkdir(parents=True, exist_ok=True)
    draw(returns, found, drawn, risks, at_fit).savefig(output / "heavy_tails.png", dpi=120)
    print(f"plot: {output / 'heavy_tails.png'}")
    return error, found, at_fit, drawn


if __name__ == "__main__":
    main()
