"""Lists that stand for arrays, as indices and among what is joined; and transforms: specialised, right."""

from typing import Any

import numpy as np
import pytest
from scipy import fft
from tests.engines.specialised.test_idioms_specialised import VECTOR, hold_specialised

import chainrules as cr
from chainrules.engines.specialised.running.entry import specialised_after


def lists_as_indices(x):
    table, path, grown, total = np.outer(x, x), [0, 2, 1, 2], [], 0.0
    chosen = x[path] * 2
    for i in range(3):
        grown.append(i)
        total = total + np.sum(x[grown]) * x[i]
    path[0] = 3
    return total + np.sum(chosen * x[path]) + np.sum(table[range(4), path] ** 2) + np.sum(table[:, grown])


def transforms(x):
    y = fft.irfft(fft.rfft(x) * fft.rfft(np.exp(-x)), n=4)
    return np.sum(fft.dct(y, norm="ortho") ** 2) + np.sum(np.abs(fft.fft(x)) ** 2)


def lists_among_what_is_joined(x):
    ends = np.concatenate([[0.0], x, [x[0], 2.0]])
    rows = np.concatenate([[[1.0, 2.0]], np.outer(x, x)[:, :2]])
    return np.sum(np.diff(ends) ** 2) + np.sum(np.hstack(([1], x)) ** 3) + np.sum(rows**2)


@pytest.mark.parametrize("f", [lists_as_indices, lists_among_what_is_joined, transforms])
def test_idioms(f: Any) -> None:
    hold_specialised(f)


def test_a_list_of_places_that_is_another_in_a_later_call() -> None:
    def f(x: Any, places: Any) -> Any:
        return np.sum(x[places] ** 2)

    gradient = cr.grad(f)
    with specialised_after(2):
        for places in ([0, 2], [0, 2], [0, 2], [1, 1, 0], [True, False, False, True], [[0, 1], [1, 3]]):
            expected = np.zeros(4)
            np.add.at(expected, np.arange(4)[places], 2 * VECTOR[places])
            np.testing.assert_allclose(gradient(VECTOR, places), expected)
