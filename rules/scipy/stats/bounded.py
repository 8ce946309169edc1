"""What distributions on an interval or a circle are made of [Johnson, Kotz & Balakrishnan 1995, 25–26]."""

from __future__ import annotations

import numpy as np
from scipy.special import cosm1, i0e

from .family import FAMILIES, Family
from .integrated import from_end

LOG_TAU = np.log(2 * np.pi)

FAMILIES["uniform"] = Family(lambda x: 0.0 * x, lambda x: 1.0 * x)
FAMILIES["anglit"] = Family(lambda x: np.log(np.cos(2.0 * x)), lambda x: 0.5 * np.sin(2.0 * x))
FAMILIES["cosine"] = Family(
    lambda x: np.log(2.0 * np.square(np.cos(0.5 * x))) - LOG_TAU,
    lambda x: (x + np.sin(x)) / (2.0 * np.pi),
)


def log_reciprocal(x, a, b):
    """−log x − log log(b/a)"""
    return -np.log(x) - np.log(np.log(b) - np.log(a))


FAMILIES["loguniform"] = FAMILIES["reciprocal"] = Family(
    log_reciprocal,
    lambda x, a, b: (np.log(x) - np.log(a)) / (np.log(b) - np.log(a)),
    ends=lambda a, b: (a, b),
)


def tent(x, c):
    """Which side of the mode x is on, and its distance from the end of that side, over the side's length"""
    left = (x < c) | (c == 1)
    return (
        left,
        np.where(left, x, 1.0 - x),
        np.where(left, np.where(c == 0, 1.0, c), np.where(c == 1, 1.0, 1.0 - c)),
    )


def log_triangle(x, c):
    """log 2 + log of the distance from the end over the side's length"""
    _, distance, length = tent(x, c)
    return np.log(2.0 * distance / length)


def below_triangle(x, c):
    """x²/c left of the mode, 1 − (1 − x)²/(1 − c) right of it"""
    left, distance, length = tent(x, c)
    return np.where(left, 1.0, -1.0) * np.square(distance) / length


FAMILIES["triang"] = Family(log_triangle, below_triangle, corners=lambda c: (c,))


def sides(x, c, d):
    """The distance from the end and the length of the side, 1 and 1 on the top"""
    left, right = x < c, x > d
    distance = np.where(left, x, np.where(right, 1.0 - x, 1.0))
    return left, right, distance, np.where(left, c, np.where(right, 1.0 - d, 1.0))


def log_trapezoid(x, c, d):
    """log of the height 2/(1 + d − c) times the distance from the end over the side's length"""
    _, _, distance, length = sides(x, c, d)
    return np.log(2.0 * distance / (length * (1.0 + d - c)))


def below_trapezoid(x, c, d):
    """x²/(c w), (2x − c)/w, 1 − (1 − x)²/((1 − d) w), w = 1 + d − c"""
    left, right, distance, length = sides(x, c, d)
    tail = np.where(left, 1.0, -1.0) * np.square(distance) / length
    return np.where(right, 1.0, 0.0) + np.where(left | right, tail, 2.0 * x - c) / (1.0 + d - c)


FAMILIES["trapezoid"] = Family(log_trapezoid, below_trapezoid, corners=lambda c, d: (c, d))


def log_von_mises(x, kappa):
    """κ (cos x − 1) − log 2π − log e^{−κ} I₀(κ)"""
    return kappa * cosm1(x) - LOG_TAU - np.log(i0e(kappa))


FAMILIES["vonmises"] = FAMILIES["vonmises_line"] = Family(log_von_mises, from_end(log_von_mises, 0.0))


def log_wrapped(x, c):
    """log (1 − c²) − log ((1 − c)² + 4 c sin² x/2) − log 2π"""
    spread = np.square(1.0 - c) + 4.0 * c * np.square(np.sin(0.5 * x))
    return np.log1p(-np.square(c)) - np.log(spread) - LOG_TAU


def below_wrapped(x, c):
    """arctan((1 + c) sin(x/2), (1 − c) cos(x/2))/π"""
    return np.arctan2((1.0 + c) * np.sin(0.5 * x), (1.0 - c) * np.cos(0.5 * x)) / np.pi


FAMILIES["wrapcauchy"] = Family(log_wrapped, below_wrapped)
