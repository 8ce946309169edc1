"""What iterating gives: `items` of a container, for an engine that differentiates a loop, and views of dicts.

Python's `d.values()` and `d.items()` show what d holds when they are read. Here they are tuples, which have
derivatives by place, and a tuple is of one moment. So such a `View` remembers its dict: who
reads one that is out of date gets an error, never what was there.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from ..tangents.composite import same_tangents
from ..tangents.structure import construct
from .errors import AliasedMutationError

Gives = Literal["values", "items"]


def items(x: Iterable[Any]) -> tuple[Any, ...]:
    """The items that iterating x yields, all at once.

    Example: >>> items({"w": 1.0, "b": 2.0}), items(np.eye(2))
             (('w', 'b'), (array([1., 0.]), array([0., 1.])))
    """
    return tuple(x)


class View(tuple[Any, ...]):
    """The values or items of a dict as they were when it was made; `of` is the dict.

    Its tangents are those of a tuple.

    Raises:  AliasedMutationError when it is read after the dict was changed.
    """

    of: dict[Any, Any]
    gives: Gives

    def _now(self) -> None:
        if is_stale(self):
            raise AliasedMutationError(
                f"`.{self.gives}()` of a dict was kept, and is read after the dict was changed",
                next=f"ask for `.{self.gives}()` again after the change, or keep a list of them",
            )

    def __iter__(self) -> Iterator[Any]:
        self._now()
        return super().__iter__()

    def __getitem__(self, i: Any) -> Any:
        self._now()
        return super().__getitem__(i)

    def __contains__(self, x: object) -> bool:
        self._now()
        return super().__contains__(x)

    def __len__(self) -> int:
        return len(self.of)

    def __repr__(self) -> str:
        return repr(getattr(self.of, self.gives)())

    def __reduce__(self) -> Any:
        return tuple, (tuple(self),)


same_tangents(View, tuple)


@construct.register(View)
def _plain(P: type, values: Any, like: Any) -> tuple[Any, ...]:
    """What is made of other values shows no dict."""
    return tuple(values)


def view_of(x: dict[Any, Any], gives: Gives) -> View:
    """The values or items of a dict.

    Example: >>> tuple(view_of({"w": 1.0}, "items"))
             (('w', 1.0),)
    """
    read = dict.values if gives == "values" else dict.items
    made = View(read(x))
    made.of, made.gives = x, gives
    return made


def is_stale(x: View) -> bool:
    """Whether the dict of a view holds other objects, or has other keys, than when it was made."""
    own: Any = tuple.__iter__(x)
    if tuple.__len__(x) != len(x.of):
        return True
    if x.gives == "values":
        return not all(map(operator.is_, own, x.of.values()))
    keys, values = zip(*own, strict=True) if x.of else ((), ())
    return not (all(map(operator.is_, keys, x.of)) and all(map(operator.is_, values, x.of.values())))
