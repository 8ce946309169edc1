"""Pushed: the pushforwards of all texts of a call tree, compiled and joined.

Of the texts that compute a function's value they give its derivative along a direction; of those that compute
its gradient, the product of its Hessian with the direction.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import FunctionType
from typing import Any

import numpy as np

from ...boundary import LARGE
from ..inferring.guards import guards_of
from ..inferring.session import Session
from ..pushing.quiet import may_divide
from ..pushing.rows import still as rows_of_still
from ..pushing.varying import Varying
from ..reading.compiling import compiled
from ..reading.declined import Declined
from ..reading.kinds import has_object, is_array, is_complex, is_real
from ..reading.statements import RESULT
from ..reading.texts import Text
from ..writing.rundown import is_finite
from ..writing.tangents import final, still
from .answers import of_shape
from .programs import Guarded, Programs, Writer, plain_name
from .specialised import Specialised


class Pushed(Guarded):
    """A function's value, or value and gradient, with its tangents; `run` takes the directions last."""

    def __init__(
        self,
        texts: list[Text],
        moving: list[str],
        guards: list[Any],
        written: Sequence[str] = (),
        shapes: Sequence[Any] = (),
        of_gradient: bool = False,
    ) -> None:
        """`written`: the arguments that are written into; `shapes`: of the gradients.

        `of_gradient`: whether nobody asks for the tangent of the value, but for those of the gradient.
        """
        if any(is_complex(k) for t in texts for k in t.scope.kinds.values() if k):
            raise Declined("the directions of complex numbers")
        self.guards, self.shapes, self.of_gradient = guards, shapes, of_gradient
        self.texts, self.varying = texts, Varying(texts, moving)
        self.pushed, self.text, self.checked = self._written(many=False)
        self.many: Any = None  # the function for many directions; False where there is none
        self.least = 2  # from how many directions on that is quicker than one after the other
        self.halves: Any = None  # of the text along one direction (linear_at.py); False where there are none
        self.halves_agree = False
        self.size = LARGE  # how many numbers the value had that it last gave; before, any number
        first = texts[0]
        places = [moving.index(p) if p in moving else None for p in first.parameters]
        self.written = [first.parameters.index(p) for p in written]
        carried = [self.varying.carries(first, p) for p in first.parameters]
        self.given = [(i, place) for i, place in enumerate(places) if carried[i]]
        self.composed = any(type(p) is not str for p in shapes)

    def _written(self, many: bool) -> tuple[Any, str, bool]:
        """The function for one direction or many, its text, and whether it may divide by zero."""
        from ..pushing.dead import without_tangent_of_value
        from ..pushing.push import Push  # brings NumPy's rules, which load at first use
        from ..pushing.push_rows import PushRows
        from ..writing.axes import Sites

        sites = Sites()
        kind: Any = functools.partial(PushRows, sites=sites) if many else Push
        texts, stretched = self.texts, {t.scope: set[str]() for t in self.texts}
        while True:
            before = sum(map(len, stretched.values()))
            pushes = [kind(t, self.varying, stretched[t.scope]) for t in texts]
            for t, p in zip(texts, pushes, strict=True):
                stretched[t.scope] |= p.found
            if sites.settled() and before == sum(map(len, stretched.values())):
                break
        if many:
            self.sorts = sum(p.numbers for p in pushes), sum(p.arrays for p in pushes)
        if self.of_gradient:
            first = pushes[0]
            first.lines = without_tangent_of_value(first.lines, first.constant(), first.helpers)
        made: dict[Text, Any] = {}
        if not many:
            self.pushes, self.made = pushes, made
        for t, p in zip(texts, pushes, strict=True):
            made[t] = compiled(t.f, p.name, p.lines, p.helpers, t.scope.kinds)
        for function in made.values():
            for cell in function.cells.values():
                if isinstance(cell.cell_contents, Text):
                    cell.cell_contents = made[cell.cell_contents]
        text = "\n\n\n".join("\n".join(p.lines) for p in pushes) + "\n"
        checked = any(may_divide(t, p.lines, p.helpers) for t, p in zip(texts, pushes, strict=True))
        run = made[texts[0]]
        return _raising(run) if checked else run, text, checked

    def run_many(self, x: tuple[Any, ...], dx: Sequence[Any], count: int) -> Any:
        """What the texts return and its tangents along so many directions, the first axis of each of dx.

        FloatingPointError or ValueError where they do not fit; Declined where no such text can be written.
        """
        if self.many is None:
            self.many = False
            if self.written or self.composed:
                raise Declined("many directions of what is written into, or of tuples")
            self.many, self.text_of_many, _ = self._written(many=True)
            self.least = _least(*self.sorts)
        if self.many is False:
            raise Declined("many directions")
        given = [rows_of_still(x[i], count) if place is None else dx[place] for i, place in self.given]
        (*y, _), (*dy, _) = self.many(*x, *given, count)
        if not is_finite(*y, *dy):
            raise ValueError("a tangent that is not finite")
        return y, dy

    def run(self, x: tuple[Any, ...], dx: Sequence[Any]) -> Any:
        """What the texts return and its tangents; FloatingPointError or ValueError where they do not fit."""
        for i in self.written:
            if any(type(t) is np.ndarray and np.may_share_memory(x[i], t) for t in dx):
                raise ValueError("a direction that is written into")
        given = [still(x[i]) if place is None else dx[place] for i, place in self.given]
        (*y, changed), (*dy, _) = self.pushed(*x, *given)
        if len(y) == 1 and not self.written:
            return y, (self._one(y[0], dy[0], dx),)
        dy = [t.copy() if type(t) is np.ndarray and any(t is d for d in dx) else t for t in map(final, dy, y)]
        if not is_finite(*y, *dy):
            raise ValueError("a tangent that is not finite")
        for i, v in zip(self.written, changed, strict=True):
            x[i][...] = v
        if self.composed:
            parts = iter(dy[1])
            dy[1] = tuple(of_shape(shape, parts) for shape in self.shapes)
        return y, dy

    def _one(self, y: Any, t: Any, dx: Sequence[Any]) -> Any:
        """The tangent of a value as the user gets it."""
        t = final(t, y)
        if type(t) is np.ndarray and any(t is d for d in dx):
            t = t.copy()
        if not is_finite(y, t):
            raise ValueError("a tangent that is not finite")
        return t


_raising = np.errstate(divide="raise", over="raise", invalid="raise")
"""Makes a function raise where NumPy divides by zero or overflows; a block takes twice the time."""


def _least(numbers: int, arrays: int) -> int:
    """From how many directions on a text with so many numbers and arrays pays.

    A number's tangents are computed as an array, which costs about eight times as much as a number's.
    """
    return 2 + 6 * numbers // (numbers + 8 * arrays + 1)


def forward(session: Session, f: FunctionType, kinds: tuple[Any, ...], moving: tuple[int, ...]) -> Pushed:
    """The pushforward of a function, where these of its arguments move."""
    session.known.clear()
    inferred = session.inferred(session.profile(f, kinds))
    if any(has_object(kinds[i]) for i in moving):
        raise Declined("an object along a direction")
    if not (is_real(inferred.result) or is_array(inferred.result)):
        raise Declined("a value that is no real number and no array")
    programs = Programs(session)
    w = Writer(programs, inferred, ())
    written = w.written()
    if written and not is_real(inferred.result):
        raise Declined("an array as the value, where arguments are written into")
    w.begin()
    ahead, _ = w.rendered(w.lines)
    name = f"{plain_name(f)}_value"
    lines = [
        f"def {name}({', '.join(inferred.parameters)}):",
        *ahead,
        f"    return {RESULT}, ({''.join(f'{w.copied[p]}, ' for p in written)})",
    ]
    texts = [Text(f, name, lines, w.scope(), None)]
    texts += [t for p in programs.known.values() for t in p.texts]
    return Pushed(texts, [inferred.parameters[i] for i in moving], guards_of(session), written)


def second(session: Session, f: FunctionType, kinds: tuple[Any, ...], moving: tuple[int, ...]) -> Pushed:
    """The pushforward of the gradient by these arguments, where they move."""
    return _of_gradient(session, f, kinds, moving, moving)


def mixed(session: Session, f: FunctionType, kinds: tuple[Any, ...], wanted: tuple[int, ...]) -> Pushed:
    """The pushforward of the gradient by these arguments, where the first of them moves alone."""
    return _of_gradient(session, f, kinds, wanted, wanted[:1])


def _of_gradient(
    session: Session, f: FunctionType, kinds: tuple[Any, ...], wanted: Any, moving: Sequence[int]
) -> Pushed:
    specialised = Specialised(session, f, kinds, wanted, False)
    if specialised.commits:
        raise Declined("objects that are given and change")
    parameters = specialised.texts[0].parameters
    names = [parameters[i] for i in moving]
    given = specialised.guards, specialised.written, specialised.shapes
    return Pushed(specialised.texts, names, *given, of_gradient=True)
