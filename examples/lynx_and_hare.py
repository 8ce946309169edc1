"""Lynx and hare: how fast do they breed and die? Predators and prey fitted to a century-old account of pelts.

The data are the pelts of hare and lynx, in thousands, that the Hudson's Bay Company collected from 1900 to
1920: 42 numbers. Hares h and lynxes l are taken to follow

    h′ = a h − b h l        l′ = c h l − d l,

and a count to be log-normal about what the equations give, with a spread of its own for each animal. Eight
parameters are fitted, all by their logarithms: four rates, the two numbers in 1900 and the two spreads. The
gradient of the likelihood goes through `scipy.integrate.solve_ivp`, by its adjoint equation. The Hessian at
the maximum, by differences of that gradient, gives the uncertainty (Laplace's approximation); draws from it
make the band in the plot. Sources: Lotka, "Elements of physical biology", 1925; Volterra, Nature 118, 1926;
Hewitt, "The conservation of the wild life of Canada", 1921; Howard, "Modeling basics", 2009 (the table).

Run `python scripts/run.py lynx_and_hare`, or this file where chainrules[examples] is installed.
It writes examples/output/lynx_and_hare.png: pelts and fit with its band, cycle, and the four rates.
"""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.integrate import solve_ivp
from scipy.optimize import OptimizeResult, minimize
from tqdm import tqdm

import chainrules as cr

OUTPUT = Path(__file__).parent / "output"
YEARS = np.arange(1900, 1921)
HARES = [30.0, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22.0, 25.4, 27.1,
         40.3, 57.0, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7]  # fmt: skip
LYNXES = [4.0, 6.1, 9.8, 35.2, 59.4, 41.7, 19.0, 13.0, 8.3, 9.1, 7.4,
          8.0, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6]  # fmt: skip
PELTS = np.array([HARES, LYNXES])  # (2, 21), thousands
NAMES = ("birth of hares", "death of hares by lynx", "birth of lynxes by hare", "death of lynxes")
START = np.log([0.5, 0.025, 0.025, 0.8, 30.0, 4.0, 0.5, 0.5])
TOLERANCES = {"rtol": 1e-6, "atol": 1e-6}


def growth(t: float, animals: Any, rates: Any) -> Any:
    """How hares and lynxes change in a year."""
    hares, lynxes = animals
    birth, eaten, fed, death = rates
    return np.array([birth * hares - eaten * hares * lynxes, fed * hares * lynxes - death * lynxes])


def numbers(logs: Any, years: Any) -> Any:
    """(2, years): hares and lynxes, by the equations."""
    rates, start = np.exp(logs[:4]), np.exp(logs[4:6])
    span = (float(years[0]), float(years[-1]))
    return solve_ivp(growth, span, start, t_eval=years, args=(rates,), **TOLERANCES).y


def surprise(logs: Any) -> Any:
    """The negative logarithm of the likelihood of the pelts: log-normal about the numbers."""
    spread = np.exp(logs[6:8])[:, None]
    residuals = (np.log(PELTS) - np.log(numbers(logs, YEARS))) / spread
    return np.sum(0.5 * residuals**2 + np.log(PELTS * spread) + 0.5 * np.log(2 * np.pi))


def difference_error(logs: Any, step: float = 1e-4) -> float:
    """Largest deviation of the gradient from central differences, over the largest entry."""
    gradient = cr.grad(surprise)(logs)
    differences = [(surprise(logs + e) - surprise(logs - e)) / (2 * step) for e in step * np.eye(len(logs))]
    return float(np.max(np.abs(gradient - differences)) / np.max(np.abs(gradient)))


def fit(iterations: int) -> tuple[Any, list[float]]:
    """The logarithms of greatest likelihood, and the surprise on the way there."""
    history = [float(surprise(START))]
    with tqdm(total=iterations, desc="fitting", unit="iteration") as bar:

        def show(intermediate_result: OptimizeResult) -> None:
            history.append(float(intermediate_result.fun))
            bar.set_postfix({"surprise": f"{history[-1]:.2f}"}, refresh=False)
            bar.update()

        result = minimize(
            cr.value_and_grad(surprise), START, jac=True, method="BFGS", callback=show,
            options={"maxiter": iterations, "gtol": 1e-3},
        )  # fmt: skip
        bar.total = len(history) - 1
    return result.x, history


def curvature(logs: Any) -> Any:
    """The Hessian of the surprise, by central differences of its gradient, a column for each parameter."""
    gradient, columns, step = cr.grad(surprise), [], 1e-3
    for e in tqdm(step * np.eye(len(logs)), desc="curvature", unit="column"):
        columns.append((gradient(logs + e) - gradient(logs - e)) / (2 * step))
    hessian = np.array(columns)
    return (hessian + hessian.T) / 2


def draw(best: Any, covariance: Any, draws: Any) -> Figure:
    """Pelts over the years with fit and band, the cycle, and each rate with two deviations."""
    figure = Figure(figsize=(14, 4.5), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    fine = np.linspace(YEARS[0], YEARS[-1], 201)
    fitted = numbers(best, fine)
    paths = np.array([numbers(logs, fine) for logs in draws])
    low, high = np.quantile(paths, [0.025, 0.975], axis=0)
    for i, (name, colour) in enumerate((("hares", "tab:blue"), ("lynxes", "tab:red"))):
        left.plot(YEARS, PELTS[i], "o", color=colour, label=f"{name}, pelts")
        left.plot(fine, fitted[i], color=colour, label=f"{name}, fitted")
        left.fill_between(fine, low[i], high[i], color=colour, alpha=0.2)
    left.set(title="Pelts, and the fit with a 95% band", xlabel="year", ylabel="thousands")
    left.set_xticks(YEARS[::5])
    middle.plot(*PELTS, "o:", color="grey", label="pelts")
    middle.plot(*fitted, color="black", label="fitted")
    middle.set(title="The cycle", xlabel="hares (thousands)", ylabel="lynxes (thousands)")
    spread = np.sqrt(np.diag(covariance))[:4]
    rates = np.exp(best[:4])
    errors = rates * (1 - np.exp(-2 * spread)), rates * (np.exp(2 * spread) - 1)
    right.errorbar(rates, NAMES, xerr=errors, fmt="o", color="black", capsize=4)
    right.set(title="Rates with two deviations", xlabel="a year, or a year and a thousand", xscale="log")
    for axes in (left, middle):
        axes.legend(fontsize=8)
    for axes in (left, middle, right):
        axes.grid(alpha=0.3)
    return figure


def main(
    iterations: int = 60, draws: int = 200, output: Path = OUTPUT, seed: int = 0
) -> tuple[float, list[float], Any, Any]:
    """Check the gradient, fit, take the curvature, draw.

    Returns the gradient's error, the surprises on the way, the fitted logarithms and their covariance.
    """
    error = difference_error(START)
    print(f"gradient of 8 parameters against central differences: relative error {error:.1e}")
    best, history = fit(iterations)
    print(f"surprise {history[0]:.2f} → {history[-1]:.2f} after {len(history) - 1} iterations")
    covariance = np.linalg.inv(curvature(best))
    spread = np.sqrt(np.diag(covariance))
    for name, log, deviation in zip(NAMES, best[:4], spread[:4], strict=True):
        print(f"{name}: {np.exp(log):.4f} a year, to {deviation:.0%}")
    chosen = np.random.default_rng(seed).multivariate_normal(best, covariance, size=draws)
    output.mkdir(parents=True, exist_ok=True)
    draw(best, covariance, chosen).savefig(output / "lynx_and_hare.png", dpi=120)
    print(f"plot: {output / 'lynx_and_hare.png'}")
    return error, history, best, covariance


if __name__ == "__main__":
    main()
