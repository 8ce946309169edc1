"""Containers of the same kind with other items, whatever methods a subclass has.

`collections.Counter` adds where it is updated, and a class of somebody's may count what is put into it. What
is rebuilt here is no such change.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import Any

from .own_dict import own_dict

IMMUTABLE_TYPE = 1 << 8
"""The flag of a class that is written in C, whose objects are not taken apart."""


def base_of(P: type) -> Any:
    """The class in C that keeps the items of a container, with its methods.

    Example: >>> base_of(type("Mine", (list,), {}))
             <class 'list'>
    """
    return next(C for C in P.__mro__ if C.__flags__ & IMMUTABLE_TYPE)


def refilled(like: Any, values: Any) -> Any:
    """A list, deque or dict of the type of `like` with these values, and all else that `like` has.

    Example: >>> from collections import Counter
             >>> refilled(Counter(a=1), {"a": 2.0})
             Counter({'a': 2.0})
    """
    P = type(like)
    base = base_of(P)
    made = base.__new__(P)
    if isinstance(like, deque):
        base.__init__(made, values, like.maxlen)
    elif isinstance(like, list):
        base.extend(made, values)
    else:
        if isinstance(like, defaultdict):
            made.default_factory = like.default_factory
        for key, value in values.items():
            base.__setitem__(made, key, value)
    for C in P.__mro__:
        names = C.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name not in ("__dict__", "__weakref__") and (held := C.__dict__.get(name)) is not None:
                try:
                    held.__set__(made, held.__get__(like))
                except AttributeError:  # it was never set
                    continue
    own_dict(made).update(own_dict(like))
    return made
