"""Recipes: what Python's lazy functions do with iterators, as generators that the engine differentiates.

They are taken where an argument is an iterator that runs meanwhile, and for what has no rule. Each asks for
no more than the function does. Items are kept or dropped by tests, which have no derivative.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.errors import UnsupportedArgument


def iterated(iterable: Any) -> Iterator[Any]:
    """`iter(x)`"""
    for item in iterable:  # noqa: UP028  # what `yield from` is written out as
        yield item


def subscripted(sequence: Any) -> Iterator[Any]:
    """`iter(x)` of a class with `__getitem__` alone"""
    place = 0
    while True:
        try:
            item = sequence[place]
        except IndexError:
            return
        yield item
        place += 1


def called(function: Any, end: Any) -> Iterator[Any]:
    """`iter(f, end)`"""
    while True:
        item = function()
        if item == end:
            return
        yield item


def mapped(function: Any, *iterables: Any) -> Iterator[Any]:
    """`map(f, …)`"""
    for row in zip(*iterables, strict=False):
        yield function(*row)


def starmapped(function: Any, iterable: Any) -> Iterator[Any]:
    """`itertools.starmap(f, …)`"""
    for row in iterable:
        yield function(*row)


def filtered(function: Any, iterable: Any) -> Iterator[Any]:
    """`filter(f, …)`"""
    for item in iterable:
        if item if function is None else function(item):
            yield item


def failing(function: Any, iterable: Any) -> Iterator[Any]:
    """`itertools.filterfalse(f, …)`"""
    for item in iterable:
        if not (item if function is None else function(item)):
            yield item


def sliced(iterable: Any, *bounds: Any) -> Iterator[Any]:
    """`itertools.islice(…)`"""
    chosen = slice(*bounds)
    wanted, stop, step = chosen.start or 0, chosen.stop, chosen.step or 1
    place = 0
    if stop == 0:
        return
    for item in iterable:
        if place == wanted:
            yield item
            wanted += step
        place += 1  # noqa: SIM113  # counted after the item was taken
        if stop is not None and place >= stop:
            return


def taken(function: Any, iterable: Any) -> Iterator[Any]:
    """`itertools.takewhile(f, …)`"""
    for item in iterable:
        if not function(item):
            return
        yield item


def dropped(function: Any, iterable: Any) -> Iterator[Any]:
    """`itertools.dropwhile(f, …)`"""
    dropping = True
    for item in iterable:
        if dropping and function(item):
            continue
        dropping = False
        yield item


def chained(*iterables: Any) -> Iterator[Any]:
    """`itertools.chain(…)`"""
    for iterable in iterables:
        for item in iterable:  # noqa: UP028  # what `yield from` is written out as
            yield item


def flattened(iterables: Any) -> Iterator[Any]:
    """`itertools.chain.from_iterable(…)`"""
    for iterable in iterables:
        for item in iterable:  # noqa: UP028  # what `yield from` is written out as
            yield item


def accumulated(iterable: Any, func: Any = None, *, initial: Any = None) -> Iterator[Any]:
    """`itertools.accumulate(…)`"""
    total = initial
    started = initial is not None
    if started:
        yield total
    for item in iterable:
        if not started:
            total, started = item, True
        elif func is None:
            total = total + item
        else:
            total = func(total, item)
        yield total


def paired(iterable: Any) -> Iterator[Any]:
    """`itertools.pairwise(…)`"""
    last = None
    started = False
    for item in iterable:
        if started:
            yield last, item
        last, started = item, True


def compressed(data: Any, selectors: Any) -> Iterator[Any]:
    """`itertools.compress(…)`"""
    for item, selected in zip(data, selectors, strict=False):
        if selected:
            yield item


def repeated(item: Any, times: int | None = None) -> Iterator[Any]:
    """`itertools.repeat(…)`"""
    count = 0
    while times is None or count < times:
        yield item
        count += 1


def counted(start: Any = 0, step: Any = 1) -> Iterator[Any]:
    """`itertools.count(…)`"""
    value = start
    while True:
        yield value
        value = value + step


def cycled(iterable: Any) -> Iterator[Any]:
    """`itertools.cycle(…)`"""
    kept: tuple[Any, ...] = ()
    for item in iterable:
        yield item
        kept = (*kept, item)
    while kept:
        for item in kept:  # what `yield from` is written out as
            yield item


def batches(iterable: Any, n: int) -> Iterator[Any]:
    """`itertools.batched(…)`"""
    batch: tuple[Any, ...] = ()
    for item in iterable:
        batch = (*batch, item)
        if len(batch) == n:
            yield batch
            batch = ()
    if batch:
        yield batch


def grouped(iterable: Any, key: Any = None) -> Iterator[Any]:
    """`itertools.groupby(…)`, each group a tuple"""
    group: tuple[Any, ...] = ()
    current = None
    for item in iterable:
        found = item if key is None else key(item)
        if group and found != current:
            yield current, group
            group = ()
        current = found
        group = (*group, item)
    if group:
        yield current, group


def choices(choose: Callable[..., Any], *lengths: int, **options: Any) -> Iterator[Any]:
    """The choices of places that a function of itertools makes."""
    return choose(*map(range, lengths), **options)  # type: ignore[no-any-return]  # an iterator


non_differentiable(choices, why="returns indices")


def permuted(iterable: Any, r: int | None = None) -> Iterator[Any]:
    """`itertools.permutations(…)`"""
    items = tuple(iterable)
    for chosen in choices(itertools.permutations, len(items), r=r):
        yield tuple([items[place] for place in chosen])


def combined(iterable: Any, r: int) -> Iterator[Any]:
    """`itertools.combinations(…)`"""
    items = tuple(iterable)
    for chosen in choices(itertools.combinations, len(items), r=r):
        yield tuple([items[place] for place in chosen])


def recombined(iterable: Any, r: int) -> Iterator[Any]:
    """`itertools.combinations_with_replacement(…)`"""
    items = tuple(iterable)
    for chosen in choices(itertools.combinations_with_replacement, len(items), r=r):
        yield tuple([items[place] for place in chosen])


def multiplied(*iterables: Any, repeat: int = 1) -> Iterator[Any]:
    """`itertools.product(…)`"""
    pools = tuple([tuple(i) for i in iterables]) * repeat
    for chosen in choices(itertools.product, *[len(pool) for pool in pools]):
        yield tuple([pools[i][place] for i, place in enumerate(chosen)])


def enumerated(arr: Any) -> Iterator[Any]:
    """`np.ndenumerate(a)`"""
    x = np.asarray(arr)
    for place in np.ndindex(x.shape):
        yield place, x[place]


def walked(op: Any, **options: Any) -> Iterator[Any]:
    """`np.nditer(a)`, which reads one array, in the order in which it stands in memory"""
    refuse_options(op, options)
    for place in order_of(op):
        yield op[(*place, ...)]


def refuse_options(op: Any, options: dict[str, Any]) -> None:
    """Raise for what `np.nditer` does beside reading one array."""
    if options or not isinstance(op, np.ndarray):
        raise UnsupportedArgument(np.nditer, "op", "several arrays, or flags", supported=["one array"])


def order_of(x: Any) -> list[tuple[int, ...]]:
    """The places of the entries of an array, as `np.nditer` goes through them."""
    walk = np.nditer(x, flags=["multi_index", "zerosize_ok"])
    return [walk.multi_index for _ in walk]


non_differentiable(refuse_options, order_of, why="look at options and return places")


def numbered(iterable: Any, start: int = 0) -> Iterator[Any]:
    """`enumerate(…)`"""
    count = start
    for item in iterable:
        yield count, item
        count = count + 1


ALWAYS: dict[Any, Callable[..., Any]] = {
    itertools.chain: chained,
    itertools.pairwise: paired,
    itertools.islice: sliced,
    itertools.takewhile: taken,
    itertools.dropwhile: dropped,
    itertools.compress: compressed,
    itertools.repeat: repeated,
    itertools.count: counted,
    itertools.cycle: cycled,
    itertools.groupby: grouped,
    itertools.permutations: permuted,
    itertools.combinations: combined,
    itertools.combinations_with_replacement: recombined,
    itertools.product: multiplied,
    np.ndenumerate: enumerated,
    np.nditer: walked,
}
"""What has no rule."""
if hasattr(itertools, "batched"):
    ALWAYS[itertools.batched] = batches

OF_CONTAINERS = frozenset(
    (
        itertools.chain,
        itertools.pairwise,
        itertools.islice,
        itertools.compress,
        itertools.permutations,
        itertools.combinations,
        itertools.combinations_with_replacement,
        itertools.product,
    )
)
"""What has a rule for containers."""

OF_ITERATORS: dict[Any, Callable[..., Any]] = ALWAYS | {
    map: mapped,
    filter: filtered,
    itertools.accumulate: accumulated,
    itertools.starmap: starmapped,
    itertools.filterfalse: failing,
}
"""What is lazy where it is given an iterator."""
