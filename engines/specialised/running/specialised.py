"""The specialised program of a gradient: the value and what it answers in one text, forward and backward.

The functions that it calls have texts of their own (programs.py).
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from ...boundary import LARGE
from ..inferring.guards import guards_of
from ..inferring.session import Session
from ..reading.compiling import compiled
from ..reading.declined import Declined
from ..reading.kinds import axes, is_array, is_real, is_tuple
from ..reading.statements import RESULT
from ..reading.telling import tell
from ..reading.texts import Text
from ..writing.rundown import is_finite
from ..writing.unread import without_unread
from .answers import composed_text, is_moving, leaf_kinds, names_in, needs_like, shaped
from .programs import Guarded, Programs, Writer, plain_name
from .told import hold_told


class Specialised(Guarded):
    """The program of a function that is differentiated: value and gradients in one text."""

    def __init__(
        self,
        session: Session,
        f: FunctionType,
        kinds: tuple[Any, ...],
        wanted: tuple[int, ...],
        one: bool,
        effects: bool = False,
        like: tuple[Any, ...] = (),
    ) -> None:
        """`effects`: whether arguments that f writes into are changed, and not copies of them.

        `like`: the gradients of the arguments by the ordinary program.
        """
        session.known.clear()  # more may have been seen since
        profile = session.top = session.profile(f, kinds)
        try:
            inferred = session.inferred(profile)
        finally:
            session.top = None
        programs = Programs(session)
        for i in wanted:
            flat = leaf_kinds(kinds[i])
            some = any if needs_like(kinds[i]) and like else all
            if not flat or not some(map(is_moving, flat)):
                raise Declined("an argument that is no number and no array")
        if not is_real(inferred.result):
            raise Declined("a value that is no real number")
        parameters = [inferred.parameters[i] for i in wanted]
        varied = tuple(n for p in parameters for n in inferred.leaves(p) if is_moving(inferred.kinds[n]))
        w = Writer(programs, inferred, varied)
        w.joint = True
        for i in wanted:
            if is_array(kinds[i]):
                w.put(f"if {inferred.parameters[i]}.size >= {LARGE}: {w.given_up()}")
        self.written = w.written()
        if self.written:
            outside = [k for p in session.profiles.values() for k in p.constants.values()]
            if session.has_shared or any(axes(k) or k == "L" or is_tuple(k) for k in outside):
                raise Declined("an array from outside beside one that is written into")
        w.begin()
        w.start()
        if RESULT not in w.activity.active:
            raise Declined("a value that does not depend on the arguments")
        w.seed({RESULT: "seed_"})
        w.back(w.steps)
        answers = [
            shaped(inferred, p, g if needs_like(kinds[i]) else None)
            for i, p, g in zip(wanted, parameters, like or parameters, strict=True)
        ]
        finals = [w.final(n) for n in names_in(answers)]
        names = [w.fresh("answer") for _ in finals]
        programs.checked |= w.checked
        programs.singular |= w.singular
        for name, text in zip(names, finals, strict=True):
            w.put(f"{name} = {text}")
        if programs.checked:
            w.put(f"if not {w.bind(is_finite)}({', '.join([RESULT, *names])}): {w.given_up()}")
        commits = [f"    {path} = {text()}" for path, text in w.commits]
        if commits and (programs.known or any(p.handed for p in session.profiles.values())):
            raise Declined("objects that change, beside functions with texts of their own")
        hold_told(session, kinds)
        if self.written and (commits or w.told):
            raise Declined("arguments that are written into, beside what else is done once")
        apart = _told_apart(w, inferred.profile.remade if commits else {})
        back, at_back = without_unread(*w.rendered(w.lines, more=int(programs.singular)), w.helpers)
        ahead, at = w.rendered(w.forward_lines)
        line = f.__code__.co_firstlineno
        taken = iter(names)
        gradients = [composed_text(w, a, taken) for a in answers]
        result = gradients[0] if one else f"({', '.join(gradients)}{',' if len(gradients) == 1 else ''})"
        quiet = [f"    with {w.bind(np.errstate)}(all='ignore'):"] if programs.singular else []
        self.told: list[Any] = []  # what a text without effects would have told
        telling = [f"    {w.bind(tell)}({w.told})" if effects else f"    {w.bind(self.told)}[:] = {w.told}"]
        telling = telling if w.told else []
        name = f"{plain_name(f)}_gradient"
        lines = [
            f"def {name}({', '.join(inferred.parameters)}):",
            *apart,
            *ahead,
            "    seed_ = 1.0",
            *quiet,
            *back,
            *(f"    {w.given[p]}[...] = {w.copied[p]}" for p in self.written if effects),
            *(commits if effects else []),
            *telling,
            f"    return {RESULT}, {result}",
        ]
        places = [line, *(line for _ in apart), *at, line, *(line for _ in quiet), *at_back]
        places += [line] * (len(lines) - len(places))
        self.run = compiled(f, name, lines, w.helpers, w.kinds, places)
        programs.made.append(self.run)
        programs.joined()
        self.shapes = answers
        self.commits = bool(commits or telling)
        several = f"({', '.join(names)},), ({''.join(f'{w.copied[p]}, ' for p in self.written)})"
        ends = (len(self.written) + len(commits)) * effects + len(telling)
        flat = [*lines[: len(lines) - 1 - ends], f"    return {RESULT}, {several}"]
        self.texts = [Text(f, name, flat, w.scope(), None)]
        self.texts += [t for p in programs.known.values() for t in p.texts]
        self.text = "\n\n\n".join(["\n".join(lines), *(p.text for p in programs.known.values())]) + "\n"
        self.guards = guards_of(session)
        self.halves: Any = None  # of the text where the first argument is weights (linear_at.py)
        self.halves_agree = False
        self.unused: tuple[int, ...] = ()
        """Which of the arguments that are differentiated the value cannot depend on."""


def _told_apart(w: Writer, paths: dict[str, bool]) -> list[str]:
    """No run in which one of the objects that change is another one as well."""
    changing, others = (
        ", ".join(f"{w.bind(id)}({p})" for p, c in paths.items() if c is x) for x in (True, False)
    )
    count, ids = sum(paths.values()), f"{{{changing}}}"
    tests = [f"{w.bind(len)}({ids}) != {count}"] if count > 1 else []
    tests += [f"not {ids}.isdisjoint(({others},))"] if others else []
    return [f"    if {' or '.join(tests)}: {w.given_up()}"] if tests else []
