"""Hulls, triangulations, Voronoi's vertices and intersections of half-spaces, by what they are made of."""

from typing import Any

import numpy as np
import pytest
from scipy import spatial
from tests.rules.cases import normal

import chainrules as cr
from chainrules.core.callables import attribute
from chainrules.rules.scipy.spatial.hulls import holding
from chainrules.testing import check_grads, exempt

X2, X3 = normal(7, 2), normal(7, 3, seed=1)
SQUARE = np.array([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [1.0, 0.2, -1.0], [0.1, 1.0, -1.0]])
PROGRAMS = [
    (lambda x: spatial.ConvexHull(x).volume, X2),
    (lambda x: spatial.ConvexHull(x).area, X2),
    (lambda x: spatial.ConvexHull(x).volume, X3),
    (lambda x: spatial.ConvexHull(x).area, X3),
    (lambda x: spatial.ConvexHull(x).equations, X3),
    (lambda x: np.sum(spatial.ConvexHull(x).points ** 2) + spatial.ConvexHull(x).max_bound[0], X2),
    (lambda x: (lambda hull: hull.points[hull.vertices])(spatial.ConvexHull(x)), X2),
    (lambda x: spatial.Delaunay(x).transform, X2),
    (lambda x: spatial.Delaunay(x).points ** 2, X2),
    (lambda x: spatial.Voronoi(x).vertices, X2),
    (lambda x: spatial.Voronoi(x).vertices, X3),
    (lambda h: spatial.HalfspaceIntersection(h, np.array([0.3, 0.3])).intersections, SQUARE),
]
EXEMPT = [
    exempt(f, why="makes an object of Qhull's; what it holds is checked")
    for f in (
        holding,
        spatial.ConvexHull,
        spatial.Delaunay,
        spatial.Voronoi,
        spatial.HalfspaceIntersection,
    )
] + [
    exempt(attribute(name), why="shows what an object of Qhull's holds, which programs check")
    for name in (
        *("points", "transform", "halfspaces", "vertices", "convex_hull", "vertex_to_simplex"),
        *("vertex_neighbor_vertices", "find_simplex", "ridge_dict", "dual_vertices"),
    )
]


@pytest.mark.parametrize(("f", "x"), PROGRAMS)
def test_what_they_hold_moves(f: Any, x: Any) -> None:
    check_grads(f, x, order=1)


def test_second_derivatives() -> None:
    check_grads(lambda x: spatial.ConvexHull(x).area, X2[:4], modes=("rev",))


def test_the_volume_of_a_simplex() -> None:
    corners = np.concatenate((np.zeros((1, 3)), np.diag([1.0, 2.0, 3.0])))
    y, gradient = cr.value_and_grad(lambda x: spatial.ConvexHull(x).volume)(corners)
    np.testing.assert_allclose(y, 1.0)
    np.testing.assert_allclose(np.diag(gradient[1:]), 1 / np.array([1.0, 2.0, 3.0]))


def test_a_point_within_does_not_move_a_hull() -> None:
    x = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [1.0, 1.0]])
    np.testing.assert_array_equal(cr.grad(lambda x: spatial.ConvexHull(x).volume)(x)[3], 0)


def test_which_simplex_holds_a_point_does_not_move() -> None:
    at = X2.mean(axis=0)
    assert not np.any(cr.grad(lambda x: 1.0 * spatial.Delaunay(x).find_simplex(at))(X2))


def test_a_vertex_of_too_many_points_is_refused() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [3.0, 0.4]])
    with pytest.raises(cr.ChainRulesError, match="vertices"):
        cr.grad(lambda x: np.sum(spatial.Voronoi(x).vertices))(square)


def test_the_plane_of_a_flat_facet_is_refused_and_the_volume_is_not() -> None:
    line = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert np.isfinite(cr.grad(lambda x: spatial.ConvexHull(x).volume)(line)).all()


def test_the_paraboloid_of_a_triangulation_is_refused() -> None:
    with pytest.raises(cr.ChainRulesError, match="paraboloid_scale"):
        cr.grad(lambda x: spatial.Delaunay(x).paraboloid_scale)(X2)
