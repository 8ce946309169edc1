"""What of `scipy.optimize` has no derivative: matchings."""

from __future__ import annotations

from scipy import optimize

from ....core import non_differentiable

non_differentiable(optimize.linear_sum_assignment, why="returns the places that are matched")
