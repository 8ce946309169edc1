"""A library author's hour: give a function written in C its derivative, check it, use it.

Owen's T function, as SciPy offers it to Cython for two numbers at a time, is compiled code that no engine can
see into. The distribution function of the skew normal distribution is made of it, so whoever fits that
distribution to binned counts needs its derivative:

    T(h, a) = ∫₀ᵃ exp(−½ h² (1 + t²)) / (1 + t²) dt / 2π
    ∂T/∂h = −exp(−½ h²) erf(a h / √2) / (2 √2π)        ∂T/∂a = exp(−½ h² (1 + a²)) / (2π (1 + a²))

Source: Owen, "Tables for computing bivariate normal probabilities", 1956. The program meets the error, writes
the rule, makes a slip that `check_rule` finds, and fits the body-mass index of 442 people from a histogram.

Run `python scripts/run.py own_rule`, or this file where chainrules[examples] is installed.
It writes examples/output/own_rule.png: the histogram and the fitted density.
"""

import inspect
import math
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy import special
from scipy.optimize import OptimizeResult, minimize
from scipy.special import cython_special
from sklearn.datasets import load_diabetes
from tqdm import tqdm

import chainrules as cr

OUTPUT = Path(__file__).parent / "output"


# The program: the likelihood of binned counts


def skew_normal_cdf(x: Any, location: Any, width: Any, slope: Any) -> Any:
    """Probability of a value below x."""
    z = (x - location) / width
    return 0.5 * (1 + math.erf(z / math.sqrt(2))) - 2 * cython_special.owens_t(z, slope)


def log_likelihood(parameters: Any, edges: Any, counts: Any) -> Any:
    """Log-probability of the counts between the edges, but for the constant of the multinomial."""
    location, log_width, slope = parameters
    width = np.exp(log_width)
    total = 0.0
    below = skew_normal_cdf(edges[0], location, width, slope)
    for edge, count in zip(edges[1:], counts, strict=True):
        above = skew_normal_cdf(edge, location, width, slope)
        total += count * np.log(above - below)
        below = above
    return total


# The rule


def along_h(t: Any, h: Any, a: Any) -> Any:
    """∂T/∂h; t is T(h, a), not needed. At the corner (0, ±∞) NumPy warns and this is nan."""
    return -np.exp(-0.5 * h**2) * special.erf(a * h / np.sqrt(2)) / (2 * np.sqrt(2 * np.pi))


def along_a(t: Any, h: Any, a: Any) -> Any:
    """∂T/∂a"""
    return np.exp(-0.5 * h**2 * (1 + a**2)) / (2 * np.pi * (1 + a**2))


def along_h_with_a_slip(t: Any, h: Any, a: Any) -> Any:
    """∂T/∂h with its sign lost."""
    return -along_h(t, h, a)


# The hour


def try_without_a_rule(start: Any, edges: Any, counts: Any) -> None:
    """What the engine says of a function it cannot see into."""
    print("1. The gradient, before anybody has written a rule:\n")
    try:
        cr.grad(log_likelihood)(start, edges, counts)
    except cr.NoRuleError as error:
        print(f"NoRuleError: {error}\n")


def write_the_rule() -> None:
    """Register the rule, first with a slip, and check it where signs differ and where arguments are zero."""
    print("2. The rule. T acts element by element, so one partial derivative for each argument is all:\n")
    print(inspect.getsource(along_h))
    print(inspect.getsource(along_a))
    points = [(-1.5, 2.0), (-0.2, 0.0), (0.0, -0.8), (0.7, 2.0), (2.5, -0.8)]

    print('3. cr.scalar_rule(cython_special.owens_t, along_h_with_a_slip, along_a, signature="h, a")')
    print("   cr.testing.check_rule(cython_special.owens_t, h, a)\n")
    cr.scalar_rule(cython_special.owens_t, along_h_with_a_slip, along_a, signature="h, a")
    try:
        cr.testing.check_rule(cython_special.owens_t, *points[0])
    except AssertionError as error:
        print(f"AssertionError: {error}\n")

    print('4. cr.scalar_rule(cython_special.owens_t, along_h, along_a, signature="h, a")')
    print("   cr.testing.check_rule(cython_special.owens_t, h, a)\n")
    cr.scalar_rule(cython_special.owens_t, along_h, along_a, signature="h, a")
    for h, a in points:
        cr.testing.check_rule(cython_special.owens_t, h, a)
    print("passed: both modes, where signs differ and where an argument is zero\n")


def fit(start: Any, edges: Any, counts: Any, iterations: int) -> tuple[Any, float]:
    """Parameters of greatest likelihood, and that log-likelihood."""

    def objective(parameters: Any) -> tuple[float, Any]:
        value, gradient = cr.value_and_grad(log_likelihood)(parameters, edges, counts)
        return -value, -gradient

    with tqdm(total=iterations, desc="fitting", unit="iteration") as bar:

        def show(intermediate_result: OptimizeResult) -> None:
            bar.set_postfix({"log-likelihood": f"{-intermediate_result.fun:.3f}"}, refresh=False)
            bar.update()

        result = minimize(
            objective, start, jac=True, method="L-BFGS-B", callback=show, options={"maxiter": iterations}
        )
        bar.total = bar.n  # it may have converged before
    return result.x, -float(result.fun)


def draw(values: Any, edges: Any, parameters: Any) -> Figure:
    """The histogram as a density, and the density of the fitted distribution."""
    location, width, slope = parameters[0], np.exp(parameters[1]), parameters[2]
    x = np.linspace(edges[0], edges[-1], 300)
    z = (x - location) / width
    density = np.exp(-0.5 * z**2) / (np.sqrt(2 * np.pi) * width) * 2 * special.ndtr(slope * z)
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.hist(values, bins=edges, density=True, color="tab:blue", alpha=0.4, label=f"{len(values)} people")
    label = f"skew normal: location {location:.1f}, width {width:.1f}, slope {slope:.1f}"
    axes.plot(x, density, color="black", label=label)
    axes.set(
        title="A skew normal fitted to binned counts", xlabel="body-mass index (kg/m²)", ylabel="density"
    )
    axes.legend()
    return figure


def differences(parameters: Any, edges: Any, counts: Any, step: float = 1e-5) -> Any:
    """The gradient by central differences."""
    ends = ((parameters + e, parameters - e) for e in step * np.eye(len(parameters)))
    rises = [log_likelihood(up, edges, counts) - log_likelihood(down, edges, counts) for up, down in ends]
    return np.array(rises) / (2 * step)


def main(iterations: int = 100, output: Path = OUTPUT) -> None:
    """Error, rule, check, gradient, fit."""
    values = load_diabetes(scaled=False).data[:, 2]
    counts, edges = np.histogram(values, bins=20)
    start = np.array([values.mean() - values.std(), np.log(1.3 * values.std()), 2.0])

    try_without_a_rule(start, edges, counts)
    write_the_rule()
    print("5. The gradient of the program, and central differences:\n")
    print(cr.grad(log_likelihood)(start, edges, counts))
    print(differences(start, edges, counts), "\n")

    print("6. The fit:\n", flush=True)
    before = float(log_likelihood(start, edges, counts))
    parameters, after = fit(start, edges, counts, iterations)
    print(f"log-likelihood {before:.3f} → {after:.3f}")
    print(f"location {parameters[0]:.2f}, width {np.exp(parameters[1]):.2f}, slope {parameters[2]:.2f}")
    output.mkdir(parents=True, exist_ok=True)
    draw(values, edges, parameters).savefig(output / "own_rule.png", dpi=120)
    print(f"plot: {output / 'own_rule.png'}")


if __name__ == "__main__":
    main()
