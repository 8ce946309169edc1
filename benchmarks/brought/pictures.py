"""Cameras, curves, colours, points; and a few one-liners from tutorials."""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

import numpy as np


class Camera(NamedTuple):
    """What a camera has."""

    rotation: Any
    position: Any
    focal: Any
    distortion: Any


def rodrigues(r: Any, points: Any) -> Any:
    """Points turned about a vector."""
    theta = np.linalg.norm(r)
    if theta < 1e-12:
        return points + np.cross(r, points)
    k = r / theta
    c, s = np.cos(theta), np.sin(theta)
    return points * c + np.cross(k, points) * s + np.outer(points @ k, k) * (1 - c)


def bundle_adjustment(camera: Any, points: Any, observed: Any) -> Any:
    """Reprojection errors with distortion."""
    cam = Camera(camera[:3], camera[3:6], camera[6], camera[7:9])
    p = rodrigues(cam.rotation, points - cam.position)
    xy = p[:, :2] / p[:, 2:]
    r2 = np.sum(xy**2, axis=1, keepdims=True)
    factor = 1.0 + r2 * (cam.distortion[0] + cam.distortion[1] * r2)
    error = observed - cam.focal * factor * xy
    return np.sum(np.sqrt(1.0 + np.sum(error**2, axis=1)) - 1.0)


def closest_points(pose: Any, source: Any, target: Any) -> Any:
    """Points that are moved towards their nearest ones."""
    c, s = np.cos(pose[0]), np.sin(pose[0])
    R = np.array([[c, -s], [s, c]])
    moved = source @ R.T + pose[1:]
    d2 = ((moved[:, None] - target[None]) ** 2).sum(-1)
    nearest = d2.argmin(axis=1)
    residual = moved - target[nearest]
    return (residual**2).sum() / len(source)


def colour_transfer(matrix: Any, picture: Any, goal: Any) -> Any:
    """Means and covariances of colours that are to be those of another picture."""
    flat = picture.reshape(-1, 3)
    out = np.clip(flat @ matrix[:, :3].T + matrix[:, 3], 0.0, 1.0)
    mean, cov = out.mean(0), np.cov(out, rowvar=False)
    return np.sum((mean - goal.mean((0, 1))) ** 2) + np.sum((cov - np.eye(3) * 0.1) ** 2)


def spline(coefficients: Any, knots: Any, xs: Any) -> Any:
    """Cubic pieces in Horner's form, by a search for each point."""
    total = 0.0
    for x in xs:
        k = np.searchsorted(knots, x) - 1
        t = x - knots[k]
        a, b, c, d = coefficients[k]
        y = a + t * (b + t * (c + t * d))
        total += (y - np.sin(x)) ** 2
    return total


def de_casteljau(points: Any, ts: Any) -> Any:
    """The length of a curve by lists that shrink."""

    def at(t: float) -> Any:
        layer = [p for p in points]
        while len(layer) > 1:
            layer = [(1 - t) * a + t * b for a, b in zip(layer[:-1], layer[1:])]
        return layer[0]

    curve = [at(t) for t in ts]
    return sum(np.sqrt(np.sum((q - p) ** 2) + 1e-12) for p, q in zip(curve, curve[1:]))


def travelling(P: Any, distances: Any, sharpness: float = 3.0) -> Any:
    """A soft assignment of towns to stops, by alternating sums."""
    A = np.exp(sharpness * P)
    for _ in range(8):
        A = A / np.sum(A, axis=0, keepdims=True)
        A = A / np.sum(A, axis=1, keepdims=True)
    n = A.shape[0]
    length = 0.0
    for k in range(n):
        length += A[k] @ distances @ A[(k + 1) % n]
    return length + np.sum(np.abs(A * (1 - A)))


def bilinear(image: Any, xs: Any, ys: Any) -> Any:
    """Values between the pixels."""
    x0, y0 = np.floor(xs).astype(int), np.floor(ys).astype(int)
    fx, fy = xs - x0, ys - y0
    top = (1 - fx) * image[y0, x0] + fx * image[y0, x0 + 1]
    bottom = (1 - fx) * image[y0 + 1, x0] + fx * image[y0 + 1, x0 + 1]
    return (1 - fy) * top + fy * bottom


def registration(shift: Any, image: Any, reference: Any) -> Any:
    """A translation between two pictures."""
    h, w = reference.shape
    xs, ys = np.meshgrid(np.arange(1.0, w - 1), np.arange(1.0, h - 1))
    moved = bilinear(image, xs + 0.4 * np.tanh(shift[0]), ys + 0.4 * np.tanh(shift[1]))
    return np.mean((moved - reference[1:-1, 1:-1]) ** 2)


def rkhs(weights: Any, xs: Any, ys: Any, kernel: Any = None) -> Any:
    """A function of kernels, given or not."""
    kernel = kernel or (lambda a, b: np.exp(-0.5 * (a - b) ** 2))
    predicted = [sum(w * kernel(x, c) for w, c in zip(weights, xs)) for x in xs]
    smoothness = sum(wi * wj * kernel(a, b) for wi, a in zip(weights, xs) for wj, b in zip(weights, xs))
    return sum((p - y) ** 2 for p, y in zip(predicted, ys)) + 0.1 * smoothness


def fixed_point(a: float, x0: float = 1.0, tol: float = 1e-10) -> Any:
    """A square root by Newton's steps, until they are small."""

    def step(x: Any) -> Any:
        return 0.5 * (x + a / x)

    x, x_prev = step(x0), x0
    while abs(x - x_prev) > tol:
        x, x_prev = step(x), x
    return x


def sinusoid(x: Any, terms: int = 15) -> Any:
    """A sine by its series, until a term is small."""
    ans = currterm = x
    for i in range(terms):
        currterm = -currterm * x**2 / ((2 * i + 3) * (2 * i + 2))
        ans = ans + currterm
        if np.abs(currterm) < 0.2:
            break
    return ans


def rosenbrock(x: Any) -> Any:
    """By a sum over a generator."""
    return sum(100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1 - x[i]) ** 2 for i in range(len(x) - 1))


def dot_graph(x: Any, y: Any, z: Any) -> Any:
    """A small graph of operations."""

    def bar(a: Any, b: Any, c: Any) -> Any:
        return np.tanh(a * b + b * c)

    return reduce(lambda u, v: u * v, [bar(x, y, z), np.sin(x + y), np.cos(z)]) + max(x, y)


def angles(theta: Any, bonds: Any) -> Any:
    """The energy of a chain, with masks, norms and powers of distances."""
    steps = np.stack([np.cos(np.cumsum(theta)), np.sin(np.cumsum(theta))], axis=1)
    places = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    i, j = np.triu_indices(len(places), k=2)
    d = np.linalg.norm(places[i] - places[j], axis=-1)
    s6 = (0.9 / d) ** 6
    lennard_jones = 4 * np.sum(s6**2 - s6)
    bending = np.einsum("i,i,i->", bonds, theta, theta)
    return lennard_jones + bending


def cases() -> list[tuple[Any, tuple[Any, ...]]]:
    """Each program with its arguments; the first is differentiated."""
    r = np.random.default_rng(5)
    knots = np.linspace(0.0, 5.0, 6)
    camera = np.concatenate([r.normal(size=3) * 0.2, [0.0, 0.0, -6.0], [1.2], [0.01, 0.001]])
    return [
        (bundle_adjustment, (camera, r.normal(size=(30, 3)), r.normal(size=(30, 2)))),
        (closest_points, (np.array([0.1, 0.2, -0.1]), r.normal(size=(30, 2)), r.normal(size=(25, 2)))),
        (colour_transfer, (np.eye(3, 4) + 0.01, r.random((8, 8, 3)), r.random((8, 8, 3)))),
        (spline, (r.normal(size=(5, 4)), knots, np.linspace(0.1, 4.9, 25))),
        (de_casteljau, (r.normal(size=(4, 2)), np.linspace(0.0, 1.0, 12))),
        (travelling, (r.normal(size=(7, 7)), r.random((7, 7)))),
        (registration, (np.array([0.3, -0.2]), r.random((12, 12)), r.random((12, 12)))),
        (rkhs, (r.normal(size=6), np.linspace(0.0, 1.0, 6), r.normal(size=6))),
        (fixed_point, (2.0,)),
        (sinusoid, (1.3,)),
        (rosenbrock, (r.normal(size=10),)),
        (dot_graph, (0.4, 0.7, -0.2)),
        (angles, (r.normal(size=12) * 0.3, 1.0 + r.random(12))),
    ]
