"""What the source engine refuses the following engine differentiates, where nothing has changed yet."""

import contextlib
import heapq
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.engines import test_generators as generators

import chainrules as cr
from chainrules.core.engine import set_default_engine
from chainrules.engines.source.engine import SourceEngine
from chainrules.engines.source.engine import engine as source
from chainrules.testing import check_grads

X = np.array([1.3, 0.7])


@contextlib.contextmanager
def noting(notes: list[Any], x: Any) -> Iterator[Any]:
    notes.append(x * x)
    yield notes
    notes.append(notes[0] * x)


def a_manager_that_appends(x):
    notes: list[Any] = []
    with noting(notes, x[0]) as same:
        same.append(x[1])
    return notes[0] * notes[1] + notes[2]


def a_generator_that_shares_a_list(x):
    values = [x[0]]

    def last():
        for _ in range(3):
            yield values[-1]

    total = 0.0
    for v in last():
        values.append(v * x[1])
        total = total + v * v
    return total


def a_queue_of_what_varies(x):
    queue: list[Any] = []
    for i in range(6):
        heapq.heappush(queue, (np.sin(x[0] * i), i))
    total = 0.0
    while queue:
        v, i = heapq.heappop(queue)
        total = total + v * i * x[1]
        if i > 3:
            heapq.heappush(queue, (v * 0.5 + 3.0, i - 4))
    return total


REFUSED = [
    generators.changed_items,
    generators.changed_meanwhile,
    generators.given_for_writing,
    generators.asked_after_a_change,
    generators.iterated_while_it_changes,
    a_generator_that_shares_a_list,
]
SECOND = [a_generator_that_shares_a_list, a_queue_of_what_varies]
ASKED = [a_manager_that_appends, generators.kept_by_the_generator, *SECOND]
"""What the source engine refuses late, when it may have changed something, or does itself."""


@pytest.fixture(autouse=True)
def default(following: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The source engine is the default one, as it is for users."""
    set_default_engine(source)
    monkeypatch.setattr(SourceEngine, "hands_over", True)


@pytest.mark.parametrize("f", REFUSED)
def test_what_is_refused_alone_agrees_with_differences(f: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check_grads(f, X, order=1)
    monkeypatch.setattr(SourceEngine, "hands_over", False)
    with pytest.raises((cr.AliasedMutationError, cr.UnsupportedSyntaxError)):
        cr.grad(f)(X)


@pytest.mark.parametrize("f", SECOND)
def test_second_derivatives(f: Any) -> None:
    check_grads(f, X, order=2)


@pytest.mark.parametrize("f", ASKED)
def test_what_it_is_asked_for(f: Any) -> None:
    check_grads(f, X, order=2, engine="following")


def test_what_changes_its_argument_is_refused_as_before():
    def f(x):
        def rows():
            for i in range(2):
                yield x[i]

        total = 0.0
        for v in rows():
            x[1] = v * 2.0
            total = total + v
        return total

    x = X.copy()
    with pytest.raises((cr.AliasedMutationError, cr.UnsupportedSyntaxError)):
        cr.grad(f)(x)
    assert x.tolist() == X.tolist()


def test_it_can_be_asked_for():
    class Node:
        def __init__(self, v: Any, after: Any) -> None:
            self.v, self.after = v, after

    def total(x):
        node = None
        for i in range(5):
            node = Node(x * i + 1.0, node)
        y = 0.0
        while node is not None:
            y, node = y + node.v**3, node.after
        return y

    expected = sum(3.0 * i * (1.5 * i + 1.0) ** 2 for i in range(5))
    assert cr.grad(total, engine="following")(1.5) == pytest.approx(expected, rel=1e-12)
