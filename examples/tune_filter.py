"""Tune a filter: which band of an EEG tells its two halves apart? A band-pass tuned by the gradient of that.

The data are matplotlib's four traces of an electroencephalogram, ten seconds at 80 samples a second. Every
half second of a filtered trace has a power; its logarithm is what a detector of rhythms would look at.
Fisher's criterion says how well a number tells two groups apart: the distance between their means, squared,
over the sum of their variances. Here it is that of the first trace, between the first five seconds and the
last five. A narrow band is noisy, a wide one dilutes what changed, so that there is a best one; it is at
least 2 Hz wide.

The filter is Chebyshev's, `scipy.signal.cheby1`, of third order, forwards and backwards over the trace by
`scipy.signal.sosfiltfilt`. Its order is held; its three parameters are the two cutoffs and the ripple, which
is its shape. The gradient goes through design and filter both. The criterion has several hills, so that four
climbs are made and the best is kept. The map of it over all pairs of cutoffs, made without gradients, shows
them.

Run `python scripts/run.py tune_filter`, or this file where chainrules[examples] is installed. It writes
examples/output/tune_filter.png: the climb on the map, the trace, its powers, and the filter's gain.
"""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.cbook import get_sample_data
from matplotlib.figure import Figure
from scipy import signal
from scipy.optimize import OptimizeResult, minimize
from tqdm import tqdm

import chainrules as cr

OUTPUT = Path(__file__).parent / "output"
RATE, ORDER, WINDOW = 80.0, 3, 40  # samples a second, order of the filter, samples of half a second
# Cutoffs in hertz, ripple in decibels.
STARTS = np.array([[1.0, 5.0, 1.0], [3.0, 12.0, 1.0], [5.0, 8.0, 1.0], [10.0, 20.0, 1.0]])
RIPPLES = (0.05, 3.0)
BOUNDS = [(np.log(0.3), np.log(20.0)), (np.log(2.0), np.log(18.0)), (-5.0, 5.0)]  # of the code: see `coded`


def traces() -> Any:
    """(4, 800): the electroencephalogram."""
    opened: Any = get_sample_data("eeg.dat")
    with opened as file:
        return np.frombuffer(file.read(), dtype=float).reshape(800, 4).T.copy()


def coded(parameters: Any) -> Any:
    """Numbers without bounds for the lower cutoff, the width of the band and the ripple."""
    low, high, ripple = parameters
    part = (ripple - RIPPLES[0]) / (RIPPLES[1] - RIPPLES[0])
    return np.array([np.log(low), np.log(high - low), np.log(part / (1.0 - part))])


def parameters(code: Any) -> Any:
    """The two cutoffs and the ripple again."""
    low = np.exp(code[0])
    ripple = RIPPLES[0] + (RIPPLES[1] - RIPPLES[0]) / (1.0 + np.exp(-code[2]))
    return np.array([low, low + np.exp(code[1]), ripple])


def sections(p: Any) -> Any:
    """The filter, in sections of second order."""
    return signal.cheby1(ORDER, p[2], p[:2], "bandpass", output="sos", fs=RATE)


def powers(p: Any, trace: Any) -> Any:
    """The logarithm of the power of the filtered trace in every half second."""
    filtered = signal.sosfiltfilt(sections(p), trace)
    return np.log(np.mean(filtered.reshape(-1, WINDOW) ** 2, axis=1))


def separation(p: Any, trace: Any) -> Any:
    """Fisher's criterion between the first half of the windows and the last."""
    early, late = np.split(powers(p, trace), 2)
    return (np.mean(early) - np.mean(late)) ** 2 / (np.var(early) + np.var(late))


def difference_error(trace: Any, step: float = 1e-5) -> float:
    """Largest deviation of the gradient from central differences, over the largest entry."""
    p = STARTS[1]
    gradient = cr.grad(separation)(p, trace)
    differences = [
        (separation(p + e, trace) - separation(p - e, trace)) / (2 * step) for e in step * np.eye(3)
    ]
    return float(np.max(np.abs(gradient - differences)) / np.max(np.abs(gradient)))


def tune(trace: Any, start: Any, iterations: int) -> Any:
    """(steps, 3): cutoffs and ripple on the way up from a start."""

    def loss(code: Any) -> Any:
        return -separation(parameters(code), trace)

    path = [start]
    with tqdm(total=iterations, desc="tuning", unit="iteration") as bar:

        def show(intermediate_result: OptimizeResult) -> None:
            path.append(parameters(intermediate_result.x))
            bar.set_postfix({"separation": f"{-intermediate_result.fun:.3f}"}, refresh=False)
            bar.update()

        minimize(
            cr.value_and_grad(loss), coded(start), jac=True, method="L-BFGS-B", bounds=BOUNDS,
            callback=show, options={"maxiter": iterations},
        )  # fmt: skip
        bar.total = len(path) - 1
    return np.array(path)


def survey(trace: Any, lows: Any, highs: Any, ripple: float) -> Any:
    """(highs, lows): the criterion for all pairs of cutoffs that are a band, without gradients."""
    table = np.full((len(highs), len(lows)), np.nan)
    for i, high in enumerate(tqdm(highs, desc="survey", unit="row")):
        for j, low in enumerate(lows):
            if low <= high - 2.0:
                table[i, j] = separation(np.array([low, high, ripple]), trace)
    return table


def draw(trace: Any, paths: list[Any], path: Any, lows: Any, highs: Any, table: Any) -> Figure:
    """The climb on the map, the trace before and after, its powers, and the gain."""
    figure = Figure(figsize=(13, 8), layout="constrained")
    (climb, gain), (wave, power) = figure.subplots(2, 2)
    shown = climb.pcolormesh(lows, highs, table, cmap="viridis", shading="nearest")
    figure.colorbar(shown, ax=climb, label="Fisher's criterion")
    for each in paths:
        climb.plot(each[:, 0], each[:, 1], "w.-", label="climbs" if each is paths[0] else None)
    climb.plot(*path[-1, :2], "r*", markersize=14, label="tuned")
    climb.set(title="Criterion over both cutoffs", xlabel="lower cutoff (Hz)", ylabel="upper cutoff (Hz)")
    seconds = np.arange(len(trace)) / RATE
    wave.plot(seconds, trace, color="grey", linewidth=0.6, label="trace")
    for p, colour, name in ((path[0], "tab:blue", "before"), (path[-1], "tab:red", "tuned")):
        f, h = signal.freqz_sos(sections(p), 400, fs=RATE)
        gain.plot(f, 20 * np.log10(np.maximum(np.abs(h), 1e-4)), color=colour, label=name)
        power.plot(seconds[WINDOW // 2 :: WINDOW], powers(p, trace), "o-", color=colour, label=name)
    wave.plot(seconds, signal.sosfiltfilt(sections(path[-1]), trace), color="tab:red", label="tuned")
    power.axvline(5.0, color="black", linestyle=":")
    gain.set(title="Gain of the filter", xlabel="frequency (Hz)", ylabel="decibels", ylim=(-40, 2))
    wave.set(title="The first trace", xlabel="seconds", ylabel="amplitude")
    power.set(title="Logarithm of its power in half seconds", xlabel="seconds")
    for axes in (climb, gain, wave, power):
        axes.legend(fontsize=8)
    return figure


def main(iterations: int = 60, resolution: int = 40, output: Path = OUTPUT) -> tuple[float, Any, Any]:
    """Check the gradient, climb, survey, draw.

    Returns the gradient's error, the best path, and the criterion at the grid's best and at its end.
    """
    trace = traces()[0]
    error = difference_error(trace)
    print(f"gradient by cutoffs and ripple against central differences: relative error {error:.1e}")
    paths = [tune(trace, start, iterations) for start in STARTS]
    ends = [float(separation(each[-1], trace)) for each in paths]
    for each, end in zip(paths, ends, strict=True):
        first = float(separation(each[0], trace))
        print(f"separation {first:.3f} → {end:.3f} after {len(each) - 1} iterations")
    path, last = paths[int(np.argmax(ends))], max(ends)
    low, high, ripple = path[-1]
    print(f"best: band {low:.2f} to {high:.2f} Hz, ripple {ripple:.2f} dB")
    lows, highs = np.linspace(0.5, 15.0, resolution), np.linspace(2.0, 30.0, resolution)
    table = survey(trace, lows, highs, float(ripple))
    print(f"best of {np.isfinite(table).sum()} pairs on a grid, without gradients: {np.nanmax(table):.3f}")
    output.mkdir(parents=True, exist_ok=True)
    draw(trace, paths, path, lows, highs, table).savefig(output / "tune_filter.png", dpi=120)
    print(f"plot: {output / 'tune_filter.png'}")
    return error, path, (float(np.nanmax(table)), last)


if __name__ == "__main__":
    main()
