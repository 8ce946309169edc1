"""What Qhull finds: convex hulls, triangulations, Voronoi's vertices, intersections of half-spaces.

Which points make a facet, a simplex or a vertex is held constant; at a tie it is what SciPy chose. The
objects move as what they hold does: `volume`, `area`, `equations`, `transform`, `vertices`, `intersections`
and the points. What is not determined has no derivative: the plane of a flat facet, a vertex of more
simplices than one. Nor has what belongs to Qhull's own computation, as a paraboloid's scale.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy import spatial

from ....core import frule, non_differentiable, rrule
from ....tangents import NO_TANGENT, ZERO, Composite, NotImplementedTangent, from_fields, is_zero
from ...written import own, written_out
from .metrics import length, reals

_POINTS = np.ndarray | list


def holding(made: Any, names: Any, *values: Any) -> Any:
    """What SciPy made, which holds these values under these names."""
    return made


def held_numbers(made: Any) -> list[tuple[str, Any]]:
    """The attributes that are numbers or arrays of them."""
    return [
        (name, value)
        for name, value in getattr(made, "__dict__", {}).items()
        if isinstance(value, float | np.ndarray)
    ]


non_differentiable(held_numbers, why="reads what is held")


def _missing(made: Any, names: Any) -> dict[str, NotImplementedTangent]:
    """What else it holds that are floating-point numbers."""
    return {
        name: NotImplementedTangent(f"{name} of {type(made).__name__} has no derivative here")
        for name, value in held_numbers(made)
        if name not in names and name[0] != "_" and np.asarray(value).dtype.kind == "f"
    }


@frule(holding)
def holding_frule(tangents, made: object, names: tuple, *values: object):
    """ẏ holds the tangents"""
    moved = dict(zip(names, tangents[2:], strict=True))
    return holding(made, names, *values), from_fields(type(made), _missing(made, names) | moved)


@rrule(holding)
def holding_rrule(made: object, names: tuple, *values: object):
    """v̄ = what ȳ holds; where it holds more, that is refused"""

    def holding_pullback(y_bar):
        for name, missing in _missing(made, names).items():
            if not is_zero(getattr(y_bar, name)):
                missing.refuse()
        return NO_TANGENT, NO_TANGENT, *[getattr(y_bar, name) for name in names]

    return holding(made, names, *values), holding_pullback


def held_property(P: Any, name: str) -> None:
    """The rules of reading what an object of a class holds under a name."""

    @frule(getattr, P, name)
    def property_frule(tangents, x):
        """ẏ is held by ẋ"""
        return getattr(x, name), getattr(tangents[0], name)

    @rrule(getattr, P, name)
    def property_rrule(x):
        """x̄ holds ȳ"""

        def property_pullback(y_bar):
            return Composite[P](**{name: y_bar})

        return getattr(x, name), property_pullback


def _constant(P: Any, name: str) -> None:
    @frule(getattr, P, name)
    def constant_frule(tangents, x):
        """ẏ = 0"""
        return getattr(x, name), ZERO

    @rrule(getattr, P, name)
    def constant_rrule(x):
        """x̄ = 0"""

        def constant_pullback(y_bar):
            return ZERO

        return getattr(x, name), constant_pullback


for _P in (spatial.ConvexHull, spatial.Delaunay, spatial.Voronoi):
    held_property(_P, "points")
held_property(spatial.Delaunay, "transform")
held_property(spatial.HalfspaceIntersection, "halfspaces")
for _P, _name in (
    (spatial.ConvexHull, "vertices"),
    (spatial.Delaunay, "convex_hull"),
    (spatial.Delaunay, "vertex_to_simplex"),
    (spatial.Delaunay, "vertex_neighbor_vertices"),
    (spatial.Delaunay, "find_simplex"),
    (spatial.Voronoi, "ridge_dict"),
    (spatial.HalfspaceIntersection, "dual_vertices"),
):
    _constant(_P, _name)


def centre(x: Any) -> Any:
    """A point within, on which nothing depends."""
    return np.mean(x, axis=0)


def any_flat(corners: Any) -> bool:
    """Whether some facets have no extent, up to rounding."""
    size = np.prod(np.linalg.norm(corners, axis=-1), axis=-1)
    return bool(np.any(np.abs(np.linalg.det(corners)) <= 1e-12 * size))


def generators(diagram: Any) -> Any:
    """For each of Voronoi's vertices its points, a row each; nothing where they are too many."""
    sets: list[list[int]] = [[] for _ in diagram.vertices]
    for point, region in enumerate(diagram.point_region):
        for vertex in diagram.regions[region]:
            if vertex >= 0:
                sets[vertex].append(point)
    count = diagram.points.shape[1] + 1
    return np.array(sets, int) if sets and all(len(s) == count for s in sets) else None


def planes_of(crossing: Any) -> Any:
    """For each intersection its half-spaces, a row each; nothing where they are too many."""
    count, sets = crossing.ndim, crossing.dual_facets
    return np.array(sets, int) if all(len(s) == count for s in sets) else None


non_differentiable(centre, any_flat, generators, planes_of, why="the selection is held constant")
non_differentiable(spatial.Delaunay.find_simplex, spatial.tsearch, why="returns indices of simplices")


def bounds(x: Any) -> tuple[Any, Any]:
    """The least and the greatest coordinates"""
    return np.min(x, axis=0), np.max(x, axis=0)


@written_out(spatial.ConvexHull)
def convex_hull(points: _POINTS, *, incremental=False, qhull_options=None):
    """v = Σ |det (p − c)|/d!, the facets' areas √det(e eᵀ)/(d − 1)!, and their planes n·x + b = 0"""
    made = own(spatial.ConvexHull, points, incremental, qhull_options)
    x = reals(points, "ConvexHull")
    d, low, high = np.shape(x)[1], *bounds(x)
    corners = x[made.simplices]
    within = corners - centre(x)
    edges = corners[:, 1:] - corners[:, :1]
    volume = np.sum(np.abs(np.linalg.det(within))) / math.factorial(d)
    squares = np.linalg.det(np.matmul(edges, np.swapaxes(edges, 1, 2)))
    area = np.sum(length(squares)) / math.factorial(d - 1)
    names, values = ("points", "min_bound", "max_bound", "volume", "area"), (x, low, high, volume, area)
    if any_flat(within):
        return holding(made, names, *values)
    normal = np.linalg.solve(within, np.ones((len(within), d, 1)))[..., 0]
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    offset = -np.sum(normal * corners[:, 0], axis=1, keepdims=True)
    equations = np.concatenate((normal, offset), axis=1) / size
    return holding(made, (*names, "equations"), *values, equations)


@written_out(spatial.Delaunay)
def delaunay(points: _POINTS, *, furthest_site=False, incremental=False, qhull_options=None):
    """The inverse of the simplex's edges, and its last corner"""
    made = own(spatial.Delaunay, points, furthest_site, incremental, qhull_options)
    x = reals(points, "Delaunay")
    low, high = bounds(x)
    corners = x[made.simplices]
    last = corners[:, -1:]
    edges = np.swapaxes(corners[:, :-1] - last, 1, 2)
    if any_flat(edges):
        return holding(made, ("points", "min_bound", "max_bound"), x, low, high)
    transform = np.concatenate((np.linalg.inv(edges), last), axis=1)
    return holding(made, ("points", "min_bound", "max_bound", "transform"), x, low, high, transform)


@written_out(spatial.Voronoi)
def voronoi(points: _POINTS, *, furthest_site=False, incremental=False, qhull_options=None):
    """2 (p_i − p_0)·(v − p_0) = |p_i − p_0|²"""
    made = own(spatial.Voronoi, points, furthest_site, incremental, qhull_options)
    x = reals(points, "Voronoi")
    low, high = bounds(x)
    sets = generators(made)
    if sets is None:
        return holding(made, ("points", "min_bound", "max_bound"), x, low, high)
    edges = x[sets[:, 1:]] - x[sets[:, :1]]
    squares = np.sum(edges * edges, axis=-1, keepdims=True)
    vertices = x[sets[:, 0]] + np.linalg.solve(2.0 * edges, squares)[..., 0]
    return holding(made, ("points", "min_bound", "max_bound", "vertices"), x, low, high, vertices)


@written_out(spatial.HalfspaceIntersection)
def halfspace_intersection(
    halfspaces: _POINTS, interior_point: _POINTS, *, incremental=False, qhull_options=None
):
    """a_i·x + b_i = 0 of the half-spaces that meet in x"""
    made = own(spatial.HalfspaceIntersection, halfspaces, interior_point, incremental, qhull_options)
    x, inside = reals(halfspaces, "HalfspaceIntersection"), reals(interior_point, "HalfspaceIntersection")
    sets = planes_of(made)
    if sets is None:
        return holding(made, ("halfspaces", "interior_point"), x, inside)
    meet = x[sets]
    found = np.linalg.solve(meet[..., :-1], -meet[..., -1:])[..., 0]
    return holding(made, ("halfspaces", "interior_point", "intersections"), x, inside, found)
