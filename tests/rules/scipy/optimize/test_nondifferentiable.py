"""Matchings: the cost of a matching has a derivative, the matching itself has none."""

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

import chainrules as cr

POINTS = np.array([[0.1, 0.7], [-0.4, 1.3], [1.9, -0.6], [0.8, 0.2]])


def cost(p):
    costs = cdist(p, 1.1 * p[::-1] + 0.2)
    rows, columns = linear_sum_assignment(costs)
    assert rows.sum() == 6 and type(rows[0]) is np.int64
    return np.sum(costs[rows, columns] ** 2) + rows[0] + 0.5 * columns.sum()


def test_the_cost_of_a_matching():
    for _ in range(5):
        cr.testing.check_grads(cost, POINTS, order=1)
