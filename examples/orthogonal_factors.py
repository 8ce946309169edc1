"""Independent components of handwritten digits, by optimisation over orthogonal matrices.

The digits are whitened; then an orthogonal matrix W is sought whose components are as far from Gaussian as
can be, by the mean of log cosh [Hyvärinen 1999, FastICA's contrast]. W is a `chainrules.types.Orthogonal`:
its gradient is skew-symmetric and a step is a rotation, so that W stays orthogonal by itself. Beside it runs
what one does without the type: plain gradient steps on the bare matrix, projected back on the orthogonal
matrices after each.

Run this file where chainrules[examples] is installed. It writes examples/output/orthogonal_factors.png: both
runs, how far each was from orthogonal, and the components.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy.linalg import polar
from sklearn.datasets import load_digits
from tqdm import tqdm

import chainrules as cr
from chainrules.types import Orthogonal

OUTPUT = Path(__file__).parent / "output"


@dataclass
class Run:
    """The loss after each step, and the largest entry of WᵀW − 1 before anything mends it."""

    losses: list[float] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)

    def note(self, loss: float, matrix: Any) -> None:
        """Add one step."""
        self.losses.append(loss)
        self.errors.append(float(np.abs(matrix.T @ matrix - np.eye(len(matrix))).max()))


def whitened(components: int) -> tuple[Any, Any]:
    """The digits in coordinates without correlation, (n, components), and the pixels of each coordinate."""
    images, _ = load_digits(return_X_y=True)
    centred = images / 16.0 - np.mean(images / 16.0, axis=0)
    u, s, vt = np.linalg.svd(centred, full_matrices=False)
    scale = np.sqrt(len(images))
    return u[:, :components] * scale, vt[:components] * s[:components, None] / scale


def contrast(matrix: Any, x: Any) -> Any:
    """How Gaussian the components x W are: the mean of log cosh, whose least value is sought."""
    return -np.mean((np.mean(log_cosh(x @ matrix), axis=0) - GAUSSIAN) ** 2)


GAUSSIAN = 0.3745672075  # the mean of log cosh of a standard Gaussian


def log_cosh(z: Any) -> Any:
    """log cosh z, without overflow."""
    return np.logaddexp(z, -z) - np.log(2.0)


def loss(w: Orthogonal, x: Any) -> Any:
    """The contrast of a typed matrix."""
    return contrast(w.matrix, x)


def on_the_group(start: Any, x: Any, steps: int, rate: float, bar: Any) -> tuple[Any, Run]:
    """Steps of the typed matrix along its skew-symmetric gradient."""
    w, run = Orthogonal(start), Run()
    for _ in range(steps):
        value, gradient = cr.value_and_grad(loss)(w, x)
        run.note(float(value), w.matrix)
        w = cr.move(w, cr.scale(-rate, cr.to_tangent(w, gradient)))
        bar.update()
    run.note(float(loss(w, x)), w.matrix)
    return w.matrix, run


def projected(start: Any, x: Any, steps: int, rate: float, bar: Any) -> tuple[Any, Run]:
    """Plain gradient steps, each followed by the nearest orthogonal matrix."""
    w, run = start.copy(), Run()
    for _ in range(steps):
        value, gradient = cr.value_and_grad(contrast)(w, x)
        stepped = w - rate * gradient
        run.note(float(value), stepped)
        w = polar(stepped)[0]
        bar.update()
    run.note(float(contrast(w, x)), w)
    return w, run


def draw(group: Run, plain: Run, pictures: Any) -> Figure:
    """Both runs side by side, and the components."""
    figure = Figure(figsize=(13, 4.5), layout="constrained")
    thirds: Any = figure.subfigures(1, 3)
    left, middle, right = thirds
    axes = left.subplots()
    axes.plot(group.losses, label="Orthogonal")
    axes.plot(plain.losses, label="projected", linestyle="--")
    axes.set(title="Contrast", xlabel="step", ylabel="−(distance from Gaussian)²")
    axes.legend()
    axes = middle.subplots()
    axes.semilogy(np.maximum(group.errors, 1e-17), label="Orthogonal")
    axes.semilogy(np.maximum(plain.errors, 1e-17), label="plain step, before projecting", linestyle="--")
    axes.axhline(1e-12, color="gray", linewidth=0.8)
    axes.set(title="How far WᵀW is from 1", xlabel="step")
    axes.legend()
    right.suptitle("Independent components of digits")
    for cell, picture in zip(right.subplots(4, 4).flat, pictures, strict=False):
        cell.imshow(
            picture.reshape(8, 8), cmap="RdBu", vmin=-np.abs(picture).max(), vmax=np.abs(picture).max()
        )
        cell.set_axis_off()
    return figure


def main(steps: int = 150, output: Path = OUTPUT, components: int = 16) -> tuple[Run, Run]:
    """Run both, each at its best rate of 100, 200, 300, 500, 1000 and 3000; draw; return what happened."""
    x, pixels = whitened(components)
    start = np.linalg.qr(np.random.default_rng(0).normal(size=(components, components)))[0]
    with tqdm(total=2 * steps, desc="rotating", unit="step") as bar:
        w, group = on_the_group(start, x, steps, 1000.0, bar)
        _, plain = projected(start, x, steps, 300.0, bar)
    print(f"contrast {group.losses[0]:.5f} at the start")
    print(f"after {steps} steps: {group.losses[-1]:.5f} on the group, {plain.losses[-1]:.5f} projected")
    print(
        f"largest |WᵀW − 1|: {max(group.errors):.1e} on the group, {max(plain.errors):.1e} of the plain steps"
    )
    output.mkdir(parents=True, exist_ok=True)
    draw(group, plain, w.T @ pixels).savefig(output / "orthogonal_factors.png", dpi=120)
    print(f"plot: {output / 'orthogonal_factors.png'}")
    return group, plain


if __name__ == "__main__":
    main()
