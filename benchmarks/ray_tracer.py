"""What do objects with operators cost? A ray tracer with a class of vectors: one lit sphere.

The gradient is that of the mean squared brightness by the sphere's place and size and the light's place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from benchmarks.case import Case

SIZES = (24,)
TINY = (4,)
_LEFT_OUT = {"torch": "its scalars take minutes", "jax": "it cannot branch on what varies"}


class Vec:
    """A vector in space."""

    def __init__(self, x: Any, y: Any, z: Any) -> None:
        self.x, self.y, self.z = x, y, z

    def __add__(self, other: Any) -> Any:
        return Vec(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Any) -> Any:
        return Vec(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, k: Any) -> Any:
        return Vec(self.x * k, self.y * k, self.z * k)

    def dot(self, other: Any) -> Any:
        """The scalar product."""
        return self.x * other.x + self.y * other.y + self.z * other.z

    def unit(self) -> Any:
        """The vector of length one in this direction."""
        return self * (1.0 / self.dot(self) ** 0.5)


def brightness(eye: Any, d: Any, center: Any, radius: Any, light: Any) -> Any:
    """What a ray sees."""
    oc = eye - center
    b = oc.dot(d)
    disc = b * b - (oc.dot(oc) - radius * radius)
    if disc <= 0.0:
        return 0.1
    hit = eye + d * (-b - disc**0.5)
    diffuse = (hit - center).unit().dot((light - hit).unit())
    if diffuse < 0.0:
        return 0.1
    return 0.1 + 0.9 * diffuse


def image(p: Any, n: Any) -> Any:
    """The mean squared brightness of n × n pixels."""
    center, light = Vec(p[0], p[1], p[2]), Vec(p[4], p[5], p[6])
    eye = Vec(0.0, 0.0, -3.0)
    total = 0.0
    for i in range(n):
        for j in range(n):
            d = Vec((i + 0.5) / n - 0.5, (j + 0.5) / n - 0.5, 1.0).unit()
            total += brightness(eye, d, center, p[3], light) ** 2
    return total / (n * n)


def by_hand(p: Any, n: int) -> tuple[Any, tuple[Any]]:
    """Pixel by pixel, in plain numbers; the gradient of a pixel right after its value."""
    cx, cy, cz, radius, lx, ly, lz = p.tolist()
    px, py, pz, pr, qx, qy, qz = (0.0,) * 7
    ox, oy, oz = -cx, -cy, -3.0 - cz
    total = 0.0
    for i in range(n):
        for j in range(n):
            dx, dy = (i + 0.5) / n - 0.5, (j + 0.5) / n - 0.5
            k = 1.0 / (dx * dx + dy * dy + 1.0) ** 0.5
            dx, dy, dz = dx * k, dy * k, k
            b = ox * dx + oy * dy + oz * dz
            disc = b * b - (ox * ox + oy * oy + oz * oz - radius * radius)
            if disc <= 0.0:
                total += 0.1**2
                continue
            root = disc**0.5
            t = -b - root
            hx, hy, hz = dx * t, dy * t, dz * t - 3.0
            nx, ny, nz = hx - cx, hy - cy, hz - cz
            a = 1.0 / (nx * nx + ny * ny + nz * nz) ** 0.5
            nx, ny, nz = nx * a, ny * a, nz * a
            vx, vy, vz = lx - hx, ly - hy, lz - hz
            c = 1.0 / (vx * vx + vy * vy + vz * vz) ** 0.5
            vx, vy, vz = vx * c, vy * c, vz * c
            diffuse = nx * vx + ny * vy + nz * vz
            if diffuse < 0.0:
                total += 0.1**2
                continue
            color = 0.1 + 0.9 * diffuse
            total += color**2
            g = 1.8 * color / (n * n)
            ux, uy, uz = c * g * (nx - vx * diffuse), c * g * (ny - vy * diffuse), c * g * (nz - vz * diffuse)
            wx, wy, wz = a * g * (vx - nx * diffuse), a * g * (vy - ny * diffuse), a * g * (vz - nz * diffuse)
            t_bar = dx * (wx - ux) + dy * (wy - uy) + dz * (wz - uz)
            disc_bar = -t_bar / (2.0 * root)
            b_bar = 2.0 * b * disc_bar - t_bar
            qx, qy, qz = qx + ux, qy + uy, qz + uz
            px += 2.0 * ox * disc_bar - dx * b_bar - wx
            py += 2.0 * oy * disc_bar - dy * b_bar - wy
            pz += 2.0 * oz * disc_bar - dz * b_bar - wz
            pr += 2.0 * radius * disc_bar
    return total / (n * n), (np.array([px, py, pz, pr, qx, qy, qz]),)


def cases(sizes: tuple[int, ...] = SIZES) -> list[Case]:
    """One case for each size of the picture."""
    p = np.array([0.1, -0.2, 0.3, 1.0, 2.0, 2.0, -2.0])
    return [
        Case(f"ray tracer, {n * n} pixels", image, by_hand, (p,), (n,), left_out=_LEFT_OUT) for n in sizes
    ]
