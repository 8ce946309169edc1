"""Rays against spheres, with shadows and mirrors (Whitted, Comm. ACM 23, 1980), full of branches."""

from dataclasses import dataclass

import numpy as np

import chainrules as cr
from chainrules.testing import check_grads


@dataclass
class Sphere:
    center: np.ndarray
    radius: float
    color: np.ndarray

    def hit(self, origin, direction):
        """The nearest distance along the ray, or None."""
        oc = origin - self.center
        b = np.dot(oc, direction)
        disc = b * b - (np.dot(oc, oc) - self.radius**2)
        if disc < 0:
            return None
        root = np.sqrt(disc)
        for t in (-b - root, -b + root):
            if t > 1e-4:
                return t
        return None


def nearest(spheres, origin, direction):
    best, found = np.inf, None
    for s in spheres:
        t = s.hit(origin, direction)
        if t is not None and t < best:
            best, found = t, s
    return best, found


def shade(spheres, light, origin, direction, depth=1):
    t, sphere = nearest(spheres, origin, direction)
    if sphere is None:
        return 0.2 * np.ones(3)
    point = origin + t * direction
    normal = (point - sphere.center) / sphere.radius
    to_light = light - point
    to_light /= np.linalg.norm(to_light)
    color = 0.1 * sphere.color
    if nearest(spheres, point, to_light)[1] is None:
        color += sphere.color * max(0.0, np.dot(normal, to_light))
    if depth > 0:
        mirrored = direction - 2 * np.dot(direction, normal) * normal
        color = 0.8 * color + 0.2 * shade(spheres, light, point, mirrored, depth - 1)
    return color


def render(spheres, light, n=4):
    image = np.zeros((n, n, 3))
    eye = np.array([0.0, 0.0, -3.0])
    for i in range(n):
        for j in range(n):
            d = np.array([(j + 0.5) / n - 0.5, 0.5 - (i + 0.5) / n, 1.0])
            image[i, j] = shade(spheres, light, eye, d / np.sqrt(d @ d))
    return image


def brightness(center, radius, light):
    red = Sphere(center, radius, np.array([0.9, 0.2, 0.1]))
    blue = Sphere(np.array([-0.6, -0.3, 0.6]), 0.5, np.array([0.1, 0.2, 0.8]))
    return np.mean(render([red, blue], light) ** 2)


CENTER, LIGHT = np.array([0.25, 0.1, 0.1]), np.array([2.0, 3.0, -4.0])


def test_by_the_scene():
    check_grads(brightness, CENTER, 0.6, LIGHT, order=1)


def test_one_ray_straight_on():
    def depth(radius):
        return Sphere(np.zeros(3), radius, np.ones(3)).hit(np.array([0.0, 0, -3]), np.array([0.0, 0, 1]))

    assert depth(1.0) == 2.0
    assert cr.grad(depth)(1.0) == -1.0
