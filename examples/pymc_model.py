"""PyMC: how much longer does a remission last with a drug? A likelihood with SciPy's functions, sampled.

The data are the weeks that 42 children with leukaemia stayed in remission: 21 had 6-mercaptopurine, 21 a
placebo. Twelve of those with the drug were still in remission when the study ended, so that their weeks are
known to be more than what was counted. The weeks are taken to have a gamma distribution; the drug divides its
rate. A week that was seen to end counts by its density, one that was not by the chance of lasting longer,

    log p(t) = k log r + (k − 1) log t − r t − log Γ(k)        log P(T > t) = log Q(k, r t),

where Q is SciPy's `gammaincc`. Its derivative by the shape k has no closed form, and is a rule of chainrules.
`to_pytensor` makes one operation of the whole likelihood; PyMC's No-U-Turn sampler asks it for gradients.
Sources: Freireich et al., Blood 21, 1963 (the data); Hoffman and Gelman, JMLR 15, 2014 (the sampler).

Run `python scripts/run.py pymc_model`, or this file where chainrules[pymc] is installed.
It writes examples/output/pymc_model.png: remissions with and without the drug, and what the drug does.
"""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.special import gammaincc, gammaln

import chainrules as cr

OUTPUT = Path(__file__).parent / "output"
DRUG = [6, 6, 6, 7, 10, 13, 16, 22, 23, 6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]  # the last 12 went on
PLACEBO = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23]
WEEKS = np.array([*DRUG, *PLACEBO], dtype=float)
TREATED = np.repeat([True, False], 21)
ENDED = np.r_[np.repeat([True, False], [9, 12]), np.repeat(True, 21)]
SPREAD = 2.0
"""The standard deviation of each parameter before the data: log k, log r, and the log of what divides r."""


def log_likelihood(parameters: Any) -> Any:
    """Of all the weeks, by log shape, log rate and the logarithm of what the drug divides the rate by."""
    shape = np.exp(parameters[0])
    rate = np.exp(parameters[1] - parameters[2] * TREATED)
    density = shape * np.log(rate) + (shape - 1) * np.log(WEEKS) - rate * WEEKS - gammaln(shape)
    longer = np.log(gammaincc(shape, rate * WEEKS))
    return np.sum(np.where(ENDED, density, longer))


def difference_error(parameters: Any, step: float = 1e-5) -> float:
    """Largest deviation of the gradient from central differences, over the largest entry."""
    gradient = cr.grad(log_likelihood)(parameters)
    differences = [
        (log_likelihood(parameters + e) - log_likelihood(parameters - e)) / (2 * step)
        for e in step * np.eye(len(parameters))
    ]
    return float(np.max(np.abs(gradient - differences)) / np.max(np.abs(gradient)))


def sampled(draws: int, seed: int) -> Any:
    """Draws of the three parameters by PyMC's NUTS, in two chains, with their diagnostics."""
    import pymc as pm

    with pm.Model():
        parameters = pm.Normal("parameters", 0.0, SPREAD, shape=3)
        pm.Potential("weeks", cr.to_pytensor(log_likelihood)(parameters))
        return pm.sample(draws, tune=draws, chains=2, cores=1, random_seed=seed, target_accept=0.9)


def diagnosed(inference: Any) -> Any:
    """Mean, deviation, effective number of draws and convergence of each parameter, as ArviZ tells them."""
    import arviz

    table = arviz.summary(inference, kind="all", round_to=4)
    return table.set_axis(["log shape", "log rate", "log ratio of rates"])


def lasting(weeks: Any, drawn: Any, treated: bool) -> Any:
    """The chance of a remission of at least these weeks, for every draw."""
    shape, rate = np.exp(drawn[:, :1]), np.exp(drawn[:, 1:2] - drawn[:, 2:] * treated)
    return gammaincc(shape, rate * weeks)


def counted(treated: bool) -> tuple[Any, Any]:
    """Kaplan and Meier's estimate of that chance, from the data alone: where it changes, and to what."""
    weeks, ended = WEEKS[treated == TREATED], ENDED[treated == TREATED]
    times = np.unique(weeks[ended])
    stayed = [1 - np.sum(ended & (weeks == t)) / np.sum(weeks >= t) for t in times]
    chances = np.cumprod([1.0, *stayed])
    return np.r_[0.0, times, weeks.max()], np.r_[chances, chances[-1]]


def draw(drawn: Any) -> Figure:
    """Both chances over the weeks, with bands and the estimates from the data, and the ratio of the rates."""
    figure = Figure(figsize=(11, 4.5), layout="constrained")
    left, right = figure.subplots(1, 2)
    fine = np.linspace(0.0, 40.0, 161)
    for treated, name, colour in ((True, "drug", "tab:blue"), (False, "placebo", "tab:red")):
        chances = lasting(fine, drawn, treated)
        low, high = np.quantile(chances, [0.025, 0.975], axis=0)
        left.plot(fine, chances.mean(axis=0), color=colour, label=f"{name}, model")
        left.fill_between(fine, low, high, color=colour, alpha=0.2)
        left.step(*counted(treated), where="post", color=colour, ls=":", label=f"{name}, counted")
    left.set(title="Remissions that last, with 95% bands", xlabel="weeks", ylabel="chance", ylim=(0, 1.02))
    left.legend(fontsize=8)
    right.hist(np.exp(drawn[:, 2]), bins=40, density=True, color="tab:blue", alpha=0.6)
    right.axvline(1.0, color="black", ls=":")
    right.set(title="How many times longer with the drug", xlabel="ratio of the means", ylabel="density")
    for axes in (left, right):
        axes.grid(alpha=0.3)
    return figure


def main(draws: int = 1000, output: Path = OUTPUT, seed: int = 1) -> tuple[float, Any, Any]:
    """Check the gradient, sample, print the diagnostics, draw.

    Returns the gradient's error, the table of diagnostics and the draws, (2 · draws, 3).
    """
    error = difference_error(np.array([0.3, -2.0, 1.0]))
    print(f"gradient of 3 parameters against central differences: relative error {error:.1e}")
    inference = sampled(draws, seed)
    table = diagnosed(inference)
    print(table.to_string())
    print(f"divergent: {int(inference.sample_stats['diverging'].sum())} of {2 * draws} draws")
    drawn = inference.posterior["parameters"].to_numpy().reshape(-1, 3)
    low, middle, high = np.quantile(np.exp(drawn[:, 2]), [0.025, 0.5, 0.975])
    print(f"with the drug a remission lasts {middle:.1f} times as long (95%: {low:.1f} to {high:.1f})")
    output.mkdir(parents=True, exist_ok=True)
    draw(drawn).savefig(output / "pymc_model.png", dpi=120)
    print(f"plot: {output / 'pymc_model.png'}")
    return error, table, drawn


if __name__ == "__main__":
    main()
