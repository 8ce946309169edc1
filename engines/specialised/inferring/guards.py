"""Guards: whether what the texts take for known outside them is still so.

Globals and captured variables are tested by their kinds, the functions that were read by their code and
defaults, and the classes whose objects are taken apart by all that they hold.
"""

from __future__ import annotations

import copy
from types import FunctionType
from typing import Any

from ..reading.calls import is_rules, is_users
from ..reading.compiling import compiled
from ..reading.declined import Declined
from ..reading.kinds import is_number
from ..reading.tests_of_kinds import guard_text
from .recording import kind_of_constant
from .session import Session


def guards_of(session: Session) -> list[Any]:
    """For each module and function with captured cells one test of all that is read from outside."""
    groups: dict[Any, tuple[FunctionType, dict[str, Any], dict[str, Any]]] = {}
    for profile in session.profiles.values():
        f = profile.f
        if is_rules(f) and not f.__closure__:
            continue  # what stands in a module of the rules stays as it is
        found = groups.setdefault((id(f.__globals__), *map(id, f.__closure__ or ())), (f, {}, {}))
        found[1].update(profile.reading.constants)
        found[2].update(profile.reading.same)
    made: list[Any] = [_same_functions(session), *([_same_classes(session)] if session.classes else [])]
    for f, constants, told in groups.values():
        helpers: dict[str, Any] = {}
        taken = set(f.__code__.co_names) | set(f.__code__.co_freevars)

        def bind(value: Any, helpers: dict[str, Any] = helpers, taken: set[str] = taken) -> str:
            name = f"known{len(helpers)}_"
            while name in taken:
                name += "_"
            helpers[name] = value
            return name

        lines = ["def guard():"]
        for text, value in constants.items():
            k = kind_of_constant(text, value)
            if type(k) is tuple and k[0] == "F":
                lines.append(f"    if {text} is not {bind(value)}: return False")
                if is_users(value):
                    lines.append(f"    if {text}.__code__ is not {bind(value.__code__)}: return False")
                    lines.append(
                        f"    if {text}.__defaults__ is not {bind(value.__defaults__)}: return False"
                    )
            else:
                lines.append(f"    if {guard_text(text, k, bind)}: return False")
        lines += [f"    if {text} is not {bind(value)}: return False" for text, value in told.items()]
        lines.append("    return True")
        if len(lines) > 2:
            made.append(compiled(f, "guard", lines, helpers))
    return made


class Outside:
    """The numbers that functions read from outside."""

    def __init__(self, session: Session) -> None:
        """Declined where anything else is read that may carry a derivative, or a module's number."""
        self.getters: list[Any] = []
        for profile in session.profiles.values():
            found = []
            for text, value in profile.reading.constants.items():
                k = kind_of_constant(text, value)
                if is_number(k):
                    if not text.isidentifier() and text.partition(".")[0] not in _FIXED:
                        raise Declined("a number of a module")
                    found.append(text)
                elif not (type(k) is tuple and k[0] == "F") and (type(k) is not str or k not in _STILL):
                    raise Declined("an array, a container or an object from outside")
            if found:
                lines = ["def outside():", f"    return ({', '.join(found)},)"]
                self.getters.append(compiled(profile.f, "outside", lines, {}))

    def values(self) -> list[Any]:
        """What is read now."""
        return [v for getter in self.getters for v in getter()]


_STILL = frozenset("ibqNSREZDH")  # kinds of what carries no derivative
_FIXED = ("np", "numpy", "math", "scipy", "sp")  # under which there are constants


def _same_functions(session: Session) -> Any:
    """A test that the functions that were read are still so."""
    known: dict[str, Any] = {}
    tests: list[str] = []
    for f in {id(p.f): p.f for p in session.profiles.values() if not is_rules(p.f)}.values():
        i = len(tests)
        known |= {f"f{i}": f, f"code{i}": f.__code__, f"defaults{i}": f.__defaults__}
        known[f"named{i}"] = copy.copy(f.__kwdefaults__)
        named = "is" if f.__kwdefaults__ is None else "=="
        tests.append(
            f"f{i}.__code__ is code{i} and f{i}.__defaults__ is defaults{i} "
            f"and f{i}.__kwdefaults__ {named} named{i}"
        )
    lines = ["def same():", f"    return {' and '.join(tests) or True}"]
    return compiled(_same_functions, "same", lines, known)  # type: ignore[arg-type]  # a function


def _same_classes(session: Session) -> Any:
    """A test that classes hold what they held."""
    known = {Q: held for snapshot in session.classes.values() for Q, held in snapshot}

    def same() -> bool:
        try:
            return all(Q.__dict__ == held for Q, held in known.items())
        except ValueError:  # of an array in the place of another
            return False

    return same
