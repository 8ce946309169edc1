"""Find a pose: where was a scanner that saw this landscape, when a third of its points are taken for others?

The landscape is matplotlib's elevation model of the fault at Jacksboro: points of its surface, in kilometres,
heights three times as they are. A scanner saw some of them, turned and shifted, with noise; each was matched
with a point of the landscape, and a third of the matches are wrong. Least squares,
`Rotation.align_vectors`, is pulled away by those. From where it ends, a loss over poses is minimised: a
`Rotation` and a shift, six numbers. It is Geman and McClure's (1987), r²/(r² + c²), which a wrong match
hardly moves; its scale c falls from round to round.

The gradient by a `Rotation` is a rotation vector, the axis about which to turn further, and `cr.move` turns:
no angles, no quaternions to normalise, no pose at which the derivative fails.

Run `python scripts/run.py pose`, or this file where chainrules[examples] is installed. It writes
examples/output/pose.png: the distances of the matches in both poses, and the error by round.
"""

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.cbook import get_sample_data
from matplotlib.figure import Figure
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation
from tqdm import tqdm

import chainrules as cr

OUTPUT = Path(__file__).parent / "output"
TURN, SHIFT = Rotation.from_rotvec([0.1, -0.15, 0.3]), np.array([0.6, -0.4, 0.3])
NOISE, WRONG, SCALES = 0.02, 1 / 3, (8.0, 0.05)


def landscape() -> Any:
    """(n, 3): points of the surface, centred, in kilometres."""
    data: Any = get_sample_data("jacksboro_fault_dem.npz")
    height = data["elevation"][::4, ::4] / 1000.0 * 3.0
    north, east = np.meshgrid(*(np.arange(n) * 0.12 for n in height.shape), indexing="ij")
    points = np.stack((east.ravel(), north.ravel(), height.ravel()), axis=-1)
    centred: Any = points - points.mean(axis=0)
    return centred


def scan(surface: Any, count: int, seed: int = 0) -> tuple[Any, Any]:
    """Points as the scanner saw them, and their matches; the last third of the matches are wrong."""
    rng = np.random.default_rng(seed)
    matched = surface[rng.choice(len(surface), count, replace=False)]
    seen = TURN.inv().apply(matched + NOISE * rng.standard_normal(matched.shape) - SHIFT)
    wrong = int(WRONG * count)
    matched[-wrong:] = surface[rng.choice(len(surface) // 2, wrong)]  # all of them in the south
    return seen, matched


def loss(turn: Any, shift: Any, seen: Any, matched: Any, scale: float) -> Any:
    """Geman and McClure's loss of the distances between what was seen, in this pose, and its matches."""
    squares = np.sum((turn.apply(seen) + shift - matched) ** 2, axis=-1)
    return np.mean(squares / (squares + scale**2))


def step(turn: Any, shift: Any, seen: Any, matched: Any, scale: float) -> Any:
    """The pose of least loss near this one: BFGS over the turn further and the shift."""

    def value(at: Any) -> Any:
        return loss(cr.move(turn, at[:3]), at[3:], seen, matched, scale)

    def gradient(at: Any) -> Any:
        further, by_shift = cr.grad(loss, (0, 1))(cr.move(turn, at[:3]), at[3:], seen, matched, scale)
        return np.concatenate((chart(at[:3]).T @ further, by_shift))

    found = minimize(value, np.concatenate((np.zeros(3), shift)), jac=gradient, options={"maxiter": 30})
    return cr.move(turn, found.x[:3]), found.x[3:]


def chart(w: Any) -> Any:
    """By how much a change of w turns `from_rotvec(w)` further."""
    return np.stack([cr.jvp(Rotation.from_rotvec, (w,), (e,))[1] for e in np.eye(3)], axis=-1)


def squares(seen: Any, matched: Any) -> Any:
    """The pose of least squares, by `align_vectors` of the centred clouds."""
    turn, _ = Rotation.align_vectors(matched - matched.mean(axis=0), seen - seen.mean(axis=0))
    return turn, matched.mean(axis=0) - turn.apply(seen.mean(axis=0))


def error(turn: Any, shift: Any) -> tuple[float, float]:
    """How far a pose is from the true one, in degrees and kilometres."""
    return float(np.degrees((turn * TURN.inv()).magnitude())), float(np.linalg.norm(shift - SHIFT))


def difference_error(seen: Any, matched: Any, h: float = 1e-6) -> float:
    """Largest deviation of the gradient from central differences, over the largest entry."""
    turn, shift = Rotation.from_rotvec([0.3, 0.2, 0.1]), np.array([0.2, 0.0, -0.1])
    gradient = np.concatenate(cr.grad(loss, (0, 1))(turn, shift, seen, matched, 1.0))

    def at(t: Any) -> Any:
        return loss(cr.move(turn, t[:3]), shift + t[3:], seen, matched, 1.0)

    differences = [(at(e) - at(-e)) / (2 * h) for e in h * np.eye(6)]
    return float(np.max(np.abs(gradient - differences)) / np.max(np.abs(gradient)))


def main(count: int = 1500, rounds: int = 15, output: Path = OUTPUT) -> tuple[float, Any, Any]:
    """Align by both losses; the deviation from differences, the pose found, and the errors by round."""
    seen, matched = scan(landscape(), count)
    deviation = difference_error(seen, matched)
    print(f"gradient by the pose against central differences: relative error {deviation:.1e}")
    plain = pose = squares(seen, matched)
    errors = [error(*pose)]
    with tqdm(np.geomspace(*SCALES, rounds), desc="aligning", unit="round") as bar:
        for scale in bar:
            pose = step(pose[0], pose[1], seen, matched, float(scale))
            errors.append(error(*pose))
            bar.set_postfix({"degrees": f"{errors[-1][0]:.3f}"}, refresh=False)
    for name, (degrees, kilometres) in (("least squares", errors[0]), ("robust loss", errors[-1])):
        print(f"{name}: off by {degrees:.3f}° and {1000 * kilometres:.0f} m")
    output.mkdir(parents=True, exist_ok=True)
    draw(seen, matched, plain, pose, np.array(errors)).savefig(output / "pose.png", dpi=120)
    print(f"plot: {output / 'pose.png'}")
    return deviation, pose, np.array(errors)


def draw(seen: Any, matched: Any, plain: Any, pose: Any, errors: Any) -> Figure:
    """From above, where each pose puts the points and their matches; the distances; the error by round."""
    figure = Figure(figsize=(15, 5), layout="constrained")
    above, near, fall = figure.subplots(1, 3)
    above.scatter(*matched[:, :2].T, s=4, color="0.6", label="matches")
    for (turn, shift), colour, name in (
        (plain, "tab:blue", "least squares"),
        (pose, "tab:red", "robust loss"),
    ):
        placed = turn.apply(seen) + shift
        above.scatter(*placed[:, :2].T, s=4, color=colour, label=name)
        distances = np.linalg.norm(placed - matched, axis=1)
        near.hist(np.log10(distances), bins=60, histtype="step", color=colour, label=name)
    fall.semilogy(errors[:, 0], "o-", label="rotation / degrees")
    fall.semilogy(errors[:, 1], "o-", label="shift / km")
    above.set(title="From above", xlabel="east / km", ylabel="south / km")
    near.set(title="Distances of the matches", xlabel="log10 of kilometres", ylabel="points")
    fall.set(title="Error of the pose", xlabel="round")
    for axes in (above, near, fall):
        axes.legend(fontsize=8)
    return figure


if __name__ == "__main__":
    main()
