"""Rotations beside those of JAX, distances beside those of PyTorch, and five of them inside each."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial import distance
from scipy.spatial.transform import Rotation, Slerp
from tests.rules.cases import normal
from tests.rules.elsewhere import agrees_with_jax, agrees_with_torch, jax, near, torch

import chainrules as cr

R, S, X, Y = 0.6 * normal(3), 0.7 * normal(3, seed=2), normal(4, 3), normal(2, 3, seed=1)
Q, M = normal(4), np.linalg.qr(normal(3, 3))[0] * np.sign(np.linalg.det(np.linalg.qr(normal(3, 3))[0]))
THREE = 0.5 * normal(3, 3)


def of_jax() -> Any:
    from jax.scipy.spatial.transform import Rotation as Native

    return Native


def slerp(P: Any, SlerpOf: Any) -> Any:
    times = np.array([0.0, 1.0, 2.5])
    return lambda r, t: SlerpOf(times, P.from_rotvec(r))(t).as_matrix()


def by(P: Any) -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Programs with the rotations of one library."""
    return {
        "as_matrix": (lambda r: P.from_rotvec(1.0 * r).as_matrix(), (R,)),
        "as_quat": (lambda r: P.from_rotvec(1.0 * r).as_quat(), (R,)),
        "as_rotvec": (lambda q: P.from_quat(q).as_rotvec(), (Q,)),
        "as_mrp": (lambda r: P.from_rotvec(1.0 * r).as_mrp(), (R,)),
        "as_euler": (lambda r: P.from_rotvec(1.0 * r).as_euler("xyz"), (R,)),
        "from_euler": (lambda a: P.from_euler("zyx", a).as_matrix(), (R,)),
        "from_mrp": (lambda p: P.from_mrp(p).as_matrix(), (R,)),
        "apply": (lambda r, v: P.from_rotvec(1.0 * r).apply(1.0 * v), (R, X)),
        "inverse": (lambda r, v: P.from_rotvec(1.0 * r).apply(1.0 * v, inverse=True), (R, X)),
        "product": (lambda r, s: (P.from_rotvec(1.0 * r) * P.from_rotvec(1.0 * s)).as_matrix(), (R, S)),
        "inv": (lambda r: P.from_rotvec(1.0 * r).inv().as_matrix(), (R,)),
        "magnitude": (lambda r: P.from_rotvec(1.0 * r).magnitude(), (R,)),
        "mean": (lambda r: P.from_rotvec(1.0 * r).mean().as_matrix(), (THREE,)),
    }


@pytest.mark.parametrize("name", by(Rotation))
def test_rotations(name: str) -> None:
    f, x = by(Rotation)[name]
    agrees_with_jax(f, by(of_jax())[name][0], *x)


def test_slerp() -> None:
    from jax.scipy.spatial.transform import Slerp as Native

    agrees_with_jax(slerp(Rotation, Slerp), slerp(of_jax(), Native.init), THREE, np.array([0.3, 1.7]))


def cdist(metric: str, **options: Any) -> Any:
    return lambda x, y: distance.cdist(x, y, metric, **options)


TORCH: dict[str, tuple[Any, Any, tuple[Any, ...]]] = {
    "euclidean": (cdist("euclidean"), lambda x, y: torch.cdist(x, y), (X, Y)),
    "cityblock": (cdist("cityblock"), lambda x, y: torch.cdist(x, y, 1.0), (X, Y)),
    "chebyshev": (cdist("chebyshev"), lambda x, y: torch.cdist(x, y, float("inf")), (X, Y)),
    "minkowski": (cdist("minkowski", p=3), lambda x, y: torch.cdist(x, y, 3.0), (X, Y)),
    "pdist": (distance.pdist, torch.nn.functional.pdist, (X,)),
    "cosine": (
        lambda x, y: 1 - distance.cosine(x, y),
        lambda x, y: torch.nn.functional.cosine_similarity(x, y, 0, 0.0),
        (R, S),
    ),
    "distance": (
        distance.euclidean,
        lambda x, y: torch.nn.functional.pairwise_distance(x, y, eps=0.0),
        (R, S),
    ),
}


@pytest.mark.parametrize("name", TORCH)
def test_distances(name: str) -> None:
    f, native, x = TORCH[name]
    agrees_with_torch(f, native, *x)


@pytest.mark.parametrize("name", ["as_matrix", "as_euler", "apply", "product", "mean"])
def test_inside_jax(name: str) -> None:
    f, x = by(Rotation)[name]
    native = by(of_jax())[name][0]
    with jax.enable_x64(True):
        given = tuple(map(jax.numpy.asarray, x))
        y, back = jax.vjp(cr.to_jax(f), *given)
        z, theirs = jax.vjp(native, *given)
        near(y, z)
        for one, two in zip(back(z), theirs(z), strict=True):
            near(one, two)


@pytest.mark.parametrize("name", ["euclidean", "cityblock", "minkowski", "pdist", "cosine"])
def test_inside_torch(name: str) -> None:
    f, native, x = TORCH[name]
    ours, theirs = ([torch.tensor(v, requires_grad=True) for v in x] for _ in range(2))
    y, z = cr.to_torch(f)(*ours), native(*theirs)
    near(y.detach(), z.detach())
    y.backward(z.detach())
    z.backward(z.detach())
    for one, two in zip(ours, theirs, strict=True):
        near(one.grad, two.grad)
