"""Results of tests that are tuples with names: a field read by its name is that field of the tangent."""

from __future__ import annotations

from typing import Any

from scipy.stats import _hypotests, _mgc, _morestats, _stats_mstats_common, _stats_py, contingency
from scipy.stats._stats_py import PearsonRResult

from ....core import frule, rrule
from ....tangents import from_fields


def _declare(P: type, name: str, of: str) -> None:
    def bunch_frule(tangents, result):
        return getattr(result, name), getattr(tangents[0], of)

    def bunch_rrule(result):
        def bunch_pullback(y_bar):
            return from_fields(type(result), {of: y_bar})

        return getattr(result, name), bunch_pullback

    for rule in (bunch_frule, bunch_rrule):
        rule.__annotations__ = {"result": P}
        rule.__doc__ = "ẏ is the field's"
    frule(getattr, P, name)(bunch_frule)
    rrule(getattr, P, name)(bunch_rrule)


def bunches_of(*modules: Any) -> tuple[Any, ...]:
    """The classes of such results, of which fields are properties."""
    found = {
        c for module in modules for c in vars(module).values() if isinstance(c, type) and issubclass(c, tuple)
    }
    return tuple(sorted((c for c in found if _is_bunch(c)), key=lambda c: c.__name__))


def _is_bunch(c: Any) -> bool:
    return bool(getattr(c, "_fields", ())) and isinstance(getattr(c, c._fields[0]), property)


BUNCHES = bunches_of(_hypotests, _mgc, _morestats, _stats_mstats_common, _stats_py, contingency)
for _class in BUNCHES:
    for _name in _class._fields:
        _declare(_class, _name, _name)
_declare(PearsonRResult, "correlation", "statistic")
