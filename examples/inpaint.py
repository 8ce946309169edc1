"""Fill in a picture: which neighbours is a lost pixel like, when two in five are lost, and whole strokes?

The picture is scikit-learn's `china.jpg`, made smaller. Lost pixels are filled by diffusion: the colours u
solve (C + L) u = C f, where C holds the known pixels f in place and L is the Laplacian of the grid with a
weight for each edge between two pixels. With equal weights the colours of a roof run into the sky. So the
weights are learnt: in each round a fifth of the known pixels is hidden as well, and the squared error there
is made smaller. Its gradient by all weights goes through `scipy.sparse.linalg.spsolve` and costs about as
much as the solve: the factors serve once more, for the adjoint system, and the gradient by the matrix has
its pattern.

A weight is the exponential of a part for what its edge crosses in a plain filling, with coefficients that all
edges share, and of a part of its own, averaged over a few neighbours.

Run `python scripts/run.py inpaint`, or this file where chainrules[examples] is installed. It writes
examples/output/inpaint.png: the picture, what was left of it, both fillings, the weights, the error by round.
"""

from pathlib import Path
from typing import Any

import numpy as np
from examples.optimisers import Adam
from matplotlib.figure import Figure
from scipy import ndimage, sparse
from scipy.sparse.linalg import spsolve
from sklearn.datasets import load_sample_image
from tqdm import tqdm

import chainrules as cr

OUTPUT = Path(__file__).parent / "output"
LOST, HIDDEN = 0.4, 0.2
HOLD = 1e3  # how firmly a known pixel is held, where an edge between alike pixels has weight one
OWN = 3e-3  # how dear the edges' own parts are


def picture(rows: int) -> Any:
    """(rows, 1.5 rows, 3): the picture, by means over squares of its pixels."""
    size = 400 // rows
    whole = np.asarray(load_sample_image("china.jpg")[: rows * size, : rows * size * 3 // 2]) / 255.0
    return whole.reshape(rows, size, -1, size, 3).mean(axis=(1, 3))


def what_is_left(rows: int, columns: int, seed: int = 0) -> Any:
    """Which pixels are known, as a vector: neither lost one by one nor under a stroke."""
    known = np.random.default_rng(seed).random((rows, columns)) > LOST
    row, width = np.arange(rows)[:, None], max(rows // 27, 1)
    for start, end in ((0.15, 0.45), (0.75, 0.5), (0.5, 0.95)):
        top = np.linspace(start * rows, end * rows - width, columns).astype(int)
        known &= (row < top) | (row >= top + width)
    return known.ravel()


def edges(rows: int, columns: int) -> tuple[Any, Any]:
    """The pixels that each edge joins: first the edges along rows, then those along columns."""
    pixel = np.arange(rows * columns).reshape(rows, columns)
    from_pixel = np.concatenate((pixel[:, :-1].ravel(), pixel[:-1].ravel()))
    return from_pixel, np.concatenate((pixel[:, 1:].ravel(), pixel[1:].ravel()))


def neighbours(rows: int, columns: int) -> Any:
    """The matrix of means over an edge and those beside it, more of them along what it may be a part of."""

    def means(n: int, reach: int) -> Any:
        near = sparse.diags_array(
            [np.ones(n)] * (2 * reach + 1), offsets=range(-reach, reach + 1), shape=(n, n)
        )
        return sparse.diags_array(1.0 / near.sum(axis=1)) @ near

    along_rows = sparse.kron(means(rows, 2), means(columns - 1, 1))
    return sparse.csr_array(
        sparse.block_diag([along_rows, sparse.kron(means(rows - 1, 1), means(columns, 2))])
    )


def crossed(filled: Any, shape: Any, joined: Any) -> Any:
    """(edges, 7): how much the colours change across each edge, at three scales, and which way it runs."""
    columns = []
    for scale in (0.5, 1.0, 2.0):
        smooth = ndimage.gaussian_filter(filled.reshape(shape), (scale, scale, 0)).reshape(-1, 3)
        change = np.sqrt(np.sum((smooth[joined[0]] - smooth[joined[1]]) ** 2, axis=1) + 1e-8)
        columns += [change / change.mean(), np.log(change / change.mean())]
    return np.stack([*columns, np.arange(len(joined[0])) < shape[0] * (shape[1] - 1)], axis=1)


def fill(logarithms: Any, known: Any, colours: Any, joined: Any) -> Any:
    """(pixels, 3): known colours held, the others by diffusion along edges of these weights."""
    weights, held = np.exp(logarithms), HOLD * known + 1e-6
    itself, (a, b) = np.arange(len(known)), joined
    values = np.concatenate([-weights, -weights, weights, weights, held])
    places = (np.concatenate([a, b, a, b, itself]), np.concatenate([b, a, a, b, itself]))
    system = sparse.csc_array((values, places), shape=(len(known), len(known)))
    return spsolve(system, (HOLD * known)[:, None] * colours)


def loss(learnt: Any, seen: Any, hidden: Any, colours: Any, joined: Any, across: Any, near: Any) -> Any:
    """The mean square of the error at the hidden pixels, and of the edges' own parts."""
    filled = fill(across @ learnt["shared"] + near @ learnt["own"], seen, colours, joined)
    wrong = (filled - colours) * hidden[:, None]
    return np.sum(wrong**2) / (3 * np.sum(hidden)) + OWN * np.mean(learnt["own"] ** 2)


def error(filled: Any, colours: Any, known: Any) -> float:
    """The root of the mean square at what was lost, where one is the way from black to white."""
    return float(np.sqrt(np.mean((filled - colours)[~known] ** 2)))


def difference_error(rows: int = 10, h: float = 1e-6) -> float:
    """Largest deviation of the gradient by the weights from central differences, over the largest entry."""
    image = picture(rows)
    shape, colours, joined = image.shape, image.reshape(-1, 3), edges(*image.shape[:2])
    known = what_is_left(*shape[:2]).astype(float)
    at = np.linspace(-1.0, 1.0, len(joined[0]))

    def value(logarithms: Any) -> Any:
        return np.sum((fill(logarithms, known, colours, joined) - colours) ** 2)

    gradient = cr.grad(value)(at)
    some = np.linspace(0, len(at) - 1, 7).astype(int)
    steps = [h * (np.arange(len(at)) == k) for k in some]
    differences = [(value(at + e) - value(at - e)) / (2 * h) for e in steps]
    return float(np.max(np.abs(gradient[some] - differences)) / np.max(np.abs(gradient)))


def main(rows: int = 80, rounds: int = 60, output: Path = OUTPUT) -> tuple[float, Any]:
    """Learn the weights; the deviation from differences, and the errors at what was lost by round."""
    deviation = difference_error()
    print(f"gradient by the weights against central differences: relative error {deviation:.1e}")
    image, rng = picture(rows), np.random.default_rng(1)
    shape, colours = image.shape, image.reshape(-1, 3)
    joined, near, known = edges(*shape[:2]), neighbours(*shape[:2]), what_is_left(*shape[:2])
    equal = np.zeros(len(joined[0]))
    plain = filled = fill(equal, known.astype(float), colours, joined)
    everywhere = crossed(plain, shape, joined)
    learnt, adam = {"shared": np.zeros(7), "own": equal}, Adam(0.05, keep_square=0.99)
    errors = [error(plain, colours, known)]
    with tqdm(range(rounds), desc="learning", unit="round") as bar:
        for _ in bar:
            hidden = known & (rng.random(len(known)) < HIDDEN)
            seen = (known & ~hidden).astype(float)
            across = crossed(fill(equal, seen, colours, joined), shape, joined)
            slope = cr.grad(loss)(learnt, seen, hidden.astype(float), colours, joined, across, near)
            learnt = adam.step(learnt, slope)
            logarithms = everywhere @ learnt["shared"] + near @ learnt["own"]
            filled = fill(logarithms, known.astype(float), colours, joined)
            errors.append(error(filled, colours, known))
            bar.set_postfix({"error": f"{errors[-1]:.4f}"}, refresh=False)
    print(f"error at what was lost: {errors[0]:.4f} with equal weights, {errors[-1]:.4f} with those learnt")
    output.mkdir(parents=True, exist_ok=True)
    left = np.where(known[:, None], colours, 1.0)
    pictures = [part.reshape(shape) for part in (colours, left, plain, filled)]
    weights = logarithms[shape[0] * (shape[1] - 1) :].reshape(shape[0] - 1, shape[1])
    draw(pictures, weights, errors).savefig(output / "inpaint.png", dpi=120)
    print(f"plot: {output / 'inpaint.png'}")
    return deviation, np.array(errors)


def draw(pictures: Any, weights: Any, errors: Any) -> Figure:
    """The four pictures, the logarithms of the weights between rows, the error by round."""
    figure = Figure(figsize=(15, 7), layout="constrained")
    axes = figure.subplots(2, 3).ravel()
    titles = ("The picture", "What was left", "Filled with equal weights", "Filled with the weights learnt")
    for place, part, title in zip((0, 1, 3, 4), pictures, titles, strict=True):
        axes[place].imshow(np.clip(part, 0.0, 1.0))
        axes[place].set(title=title, xticks=[], yticks=[])
    seen = axes[2].imshow(weights - np.median(weights), cmap="RdBu", vmin=-4.0, vmax=4.0)
    axes[2].set(title="Weights between rows, as logarithms", xticks=[], yticks=[])
    figure.colorbar(seen, ax=axes[2])
    axes[5].plot(errors)
    axes[5].set(title="Error at what was lost", xlabel="round")
    return figure


if __name__ == "__main__":
    main()
