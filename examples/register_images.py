"""Register images: lay one picture over another, first by an affine map and then by a free one.

The picture is matplotlib's slice of a head by magnetic resonance, `s1045`. A copy of it was turned,
stretched and moved, and then bent smoothly; the copy is given, what was done to it is not. The square of
what is left between them is made small by the gradient, in two stages:

- six numbers, a matrix and a shift, through `scipy.ndimage.affine_transform`, on blurred pictures first and
  then on sharper ones, so that the two find one another from far away;
- a free-form deformation [Rueckert et al., IEEE Trans. Med. Imaging 18, 1999]: displacements on a coarse
  grid, between which a cubic B-spline goes, read by `scipy.ndimage.map_coordinates`, by which the picture
  is read in turn. A little of the grid's roughness is added to what is made small.

Only the part inside the head counts for how far the places found are from those that were meant.

Run `python scripts/run.py register_images`, or this file where chainrules[examples] is installed. It writes
examples/output/register_images.png: both pictures, the differences before, between and after, and the
displacement.
"""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.cbook import get_sample_data
from matplotlib.figure import Figure
from scipy import ndimage
from scipy.optimize import OptimizeResult, minimize
from tqdm import tqdm

import chainrules as cr

OUTPUT = Path(__file__).parent / "output"
KNOTS, ROUGHNESS = 9, 2e-5  # of the free-form deformation, along each axis; the weight of its roughness
MATRIX, SHIFT = np.array([[0.97, 0.13], [-0.11, 1.04]]), np.array([5.0, -7.0])
BLURS = (4.0, 2.0, 1.0)  # of the affine stage, in pixels of pictures of 128 × 128


def picture(size: int) -> Any:
    """(size, size): the slice, from 0 to 1."""
    opened: Any = get_sample_data("s1045.ima.gz")
    with opened as file:
        slice_ = np.frombuffer(file.read(), np.uint16).reshape(256, 256).astype(float)
    step = 256 // size
    return slice_.reshape(size, step, size, step).mean(axis=(1, 3)) / slice_.max()


def middle(shape: tuple[int, ...]) -> Any:
    """The middle of a picture."""
    return (np.array(shape) - 1) / 2


def affine(numbers: Any, image: Any) -> Any:
    """The image turned and stretched about its middle, and moved."""
    matrix, centre = np.reshape(numbers[:4], (2, 2)), middle(image.shape)
    offset = centre + numbers[4:] - matrix @ centre
    return ndimage.affine_transform(image, matrix, offset, order=3, mode="nearest")


def displacement(grid: Any, shape: tuple[int, int]) -> Any:
    """(2, *shape): how far each place is moved, a cubic B-spline with the grid's numbers as coefficients."""
    knots = grid.shape[1]
    places = np.indices(shape) * ((knots - 1) / (np.array(shape) - 1))[:, None, None]
    return np.stack(
        [ndimage.map_coordinates(part, places, order=3, mode="mirror", prefilter=False) for part in grid]
    )


def bent(grid: Any, image: Any) -> Any:
    """The image read at displaced places."""
    places = np.indices(image.shape) + displacement(grid, image.shape)
    return ndimage.map_coordinates(image, places, order=3, mode="nearest")


def meant(size: int, seed: int = 3) -> tuple[Any, Any]:
    """What was done to the copy: six numbers, and a grid of displacements of some pixels."""
    numbers = np.concatenate([MATRIX.ravel(), SHIFT * size / 128])
    bumps = np.random.default_rng(seed).normal(size=(2, 5, 5))
    grid = ndimage.zoom(bumps, (1, KNOTS / 5, KNOTS / 5), order=3) * 2.0 * size / 128
    return numbers, grid


def copied(image: Any) -> Any:
    """The copy: the image turned, stretched and moved, and then bent."""
    numbers, grid = meant(image.shape[0])
    return bent(grid, affine(numbers, image))


def roughness(grid: Any) -> Any:
    """The mean square of the grid's second differences."""
    along = grid[:, 2:] - 2 * grid[:, 1:-1] + grid[:, :-2]
    across = grid[:, :, 2:] - 2 * grid[:, :, 1:-1] + grid[:, :, :-2]
    return np.mean(along**2) + np.mean(across**2)


def affine_misfit(numbers: Any, image: Any, copy: Any) -> Any:
    """The mean square of what is left after an affine map."""
    return np.mean((affine(numbers, image) - copy) ** 2)


def bent_misfit(grid: Any, image: Any, copy: Any) -> Any:
    """The mean square of what is left after a free one, and a little of its roughness."""
    return np.mean((bent(grid, image) - copy) ** 2) + ROUGHNESS * roughness(grid)


def difference_error(image: Any, copy: Any, step: float = 1e-6, seed: int = 0) -> float:
    """Largest relative deviation of both gradients from central differences along a random direction."""
    rng, worst = np.random.default_rng(seed), 0.0
    start = np.array([1.0, 0.02, -0.03, 1.0, 0.7, 0.4]), rng.normal(size=(2, KNOTS, KNOTS))
    for misfit, x in zip((affine_misfit, bent_misfit), start, strict=True):
        direction = rng.normal(size=x.shape)
        slope = np.sum(cr.grad(misfit)(x, image, copy) * direction)
        sides = [misfit(x + sign * step * direction, image, copy) for sign in (1, -1)]
        worst = max(worst, abs(slope - (sides[0] - sides[1]) / (2 * step)) / abs(slope))
    return float(worst)


def lowered(
    name: str, misfit: Any, start: Any, image: Any, copy: Any, iterations: int
) -> tuple[Any, list[float]]:
    """Where the misfit is least, and the misfits on the way there."""
    value_and_grad = cr.value_and_grad(misfit)
    history = [float(misfit(start, image, copy))]

    def loss(x: Any) -> Any:
        value, gradient = value_and_grad(x.reshape(start.shape), image, copy)
        return value, gradient.ravel()

    with tqdm(total=iterations, desc=name, unit="iteration") as bar:

        def show(intermediate_result: OptimizeResult) -> None:
            history.append(float(intermediate_result.fun))
            bar.set_postfix({"misfit": f"{history[-1]:.2e}"}, refresh=False)
            bar.update()

        options = {"maxiter": iterations, "ftol": 1e-9}
        result = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", callback=show, options=options)
        bar.total = len(history) - 1
    return result.x.reshape(start.shape), history


def error_in_places(grid: Any, numbers: Any, image: Any) -> float:
    """How far the places found are from those that were meant, in pixels: the median inside the head."""
    inside = ndimage.binary_erosion(copied(image) > 0.1, iterations=2)
    found = []
    for n, g in ((numbers, grid), meant(image.shape[0])):
        places = np.indices(image.shape) + displacement(g, image.shape)
        centre = middle(image.shape)[:, None, None]
        shift = n[4:, None, None]
        found.append(np.tensordot(np.reshape(n[:4], (2, 2)), places - centre, 1) + centre + shift)
    return float(np.median(np.hypot(*(found[0] - found[1]))[inside]))


def draw(image: Any, copy: Any, moved: Any, final: Any, field: Any) -> Figure:
    """Both pictures, the differences before, between and after, and the displacement."""
    figure = Figure(figsize=(13, 8.5), layout="constrained")
    (first, second, arrows), differences = figure.subplots(2, 3)
    for axes, shown, title in ((first, image, "The picture"), (second, copy, "The copy")):
        axes.imshow(shown, cmap="gray")
        axes.set_title(title)
    stages = ((image, "before"), (moved, "after the affine map"), (final, "after the free one"))
    for axes, (shown, title) in zip(differences, stages, strict=True):
        drawn = axes.imshow(shown - copy, cmap="RdBu", vmin=-0.4, vmax=0.4)
        axes.set_title(f"Difference {title}: {np.sqrt(np.mean((shown - copy) ** 2)):.4f}")
    figure.colorbar(drawn, ax=differences, shrink=0.7)
    length = arrows.imshow(np.hypot(*field), cmap="magma")
    every = slice(None, None, max(image.shape[0] // 16, 1))
    y, x = np.indices(image.shape)[:, every, every]
    arrows.quiver(x, y, field[1][every, every], field[0][every, every], color="white", angles="xy")
    arrows.set_title("Displacement of the free one (pixels)")
    figure.colorbar(length, ax=arrows, shrink=0.8)
    for axes in (first, second, arrows, *differences):
        axes.set_axis_off()
    return figure


def main(size: int = 128, iterations: int = 60, output: Path = OUTPUT) -> tuple[float, list[float], float]:
    """Check the gradients, find the affine map and then the free one, draw.

    Returns the gradients' error, the root mean square difference before, between and after, and the median
    error in places.
    """
    image = picture(size)
    copy = copied(image)
    error = difference_error(image, copy)
    print(f"gradients along random directions against central differences: relative error {error:.1e}")
    numbers = np.array([1.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    for blur in BLURS:
        width = blur * size / 128
        blurred, target = (ndimage.gaussian_filter(each, width) for each in (image, copy))
        numbers, _ = lowered(
            f"affine, blurred by {blur:g}", affine_misfit, numbers, blurred, target, iterations
        )
    moved = affine(numbers, image)
    grid, _ = lowered("free", bent_misfit, np.zeros((2, KNOTS, KNOTS)), moved, copy, iterations)
    final = bent(grid, moved)
    left = [float(np.sqrt(np.mean((each - copy) ** 2))) for each in (image, moved, final)]
    print("difference {:.4f} before, {:.4f} after the affine map, {:.4f} after the free one".format(*left))
    places = error_in_places(grid, numbers, image)
    print(f"the places found are {places:.2f} pixels from those that were meant (median inside the head)")
    output.mkdir(parents=True, exist_ok=True)
    figure = draw(image, copy, moved, final, displacement(grid, image.shape))
    figure.savefig(output / "register_images.png", dpi=110)
    print(f"plot: {output / 'register_images.png'}")
    return error, left, places


if __name__ == "__main__":
    main()
