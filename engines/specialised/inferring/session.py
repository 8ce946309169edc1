"""Session: one recording of a call tree, with what was seen of each function in it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import CodeType, FunctionType
from typing import Any

from ..reading import objects
from ..reading.arguments import as_given, defaults_of
from ..reading.bodies import Body, body_of
from ..reading.closures import is_closure
from ..reading.composed import Counted, Kind
from ..reading.declined import Adding, Changing, Counting, Declined, Unkeyed, Unplaced
from ..reading.kinds import CAPTURED, kind_of, widened
from ..reading.manner import AS_WRITTEN, Manner
from .observing import owners
from .recording import Profile
from .watching import Watch

_BODIES = 4  # of rules that are left one after the other, before all are
_LIMIT = 200  # functions and kinds of arguments in one call tree


class Session:
    """One recording of a call tree."""

    def __init__(
        self,
        given: tuple[Any, ...],
        infer: Callable[[Profile], Any],
        left: Any = frozenset(),
        manner: Manner = AS_WRITTEN,
    ) -> None:
        """`infer` finds the kinds of all variables; bodies `left` are not read; with None, none."""
        self.left, self.manner = left, manner
        self.read, self.entered = set[Any](), set[Any]()
        self.infer = infer
        self.profiles: dict[Any, Profile] = {}
        self.given = _ids(given)
        self.memo: dict[int, Any] = {}  # what is given, as the recorded run has it
        self.told: list[tuple[Any, tuple[Any, ...]]] = []  # what the recorded run would have printed
        self.top: Profile | None = None  # of the text in which objects that are given may change
        self.known: dict[Profile, Any] = {}
        self.open: dict[Profile, bool] = {}  # being inferred, and whether its result was asked for
        self.made: dict[int, Any] = {}  # objects of the run
        self.called: set[Any] = set()  # what was handed on and called, by whom it was handed to
        self.has_shared = False  # whether the texts read an array that a class holds
        self.axisless: dict[int, Any] = {}  # numbers in the place of arrays without axes
        self.computed: dict[int, Any] = {}  # those of which something was computed that Python would keep
        self.unmade: set[int] = set()  # those whose constructor is running
        self.classes: dict[type, Any] = {}
        self.closures: dict[CodeType, FunctionType] = {}

    def record(self, f: FunctionType, kinds: tuple[Kind, ...], args: tuple[Any, ...]) -> None:
        """One run; Declined where it raises and something in the call tree may catch that."""
        self.memo.clear()
        self.told.clear()
        for known in self.profiles.values():
            known.renew()
        args = tuple([as_given(v, k, self.memo) for v, k in zip(args, kinds, strict=True)])
        profile = self.profile(f, kinds)
        try:
            if self.is_axisless(profile.run(*args)):
                raise Declined("a value that is an array without axes")
        except Declined:
            raise
        except Exception as raised:
            if any(p.reading.tries for p in self.profiles.values()):
                raise Declined("a run in which something is raised and caught") from raised
            raise

    def body(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Body | None:
        """The body of the rule for a call that is read in its place."""
        body = None if self.left is None else body_of(f, args, kwargs)
        if body is None or body.program in self.left or body.program in self.entered:
            return None  # a program that calls what it is the body of calls it as it is
        self.read.add(body.program)
        return body

    def leaving(self, given: tuple[Any, ...], why: Exception) -> Session | None:
        """A session that reads otherwise than the one that was declined; None where there is none.

        One that reads dictionaries as tables, where their keys are not known; one that reads `sum` as a loop,
        where it adds objects; one that reads objects that change as lists, where it is not known which they
        are; one that reads first turns of loops by themselves, where a value changes its kind; one that reads
        a function anew for each whole number, where its kinds depend on them; else one that does not read the
        body of the rule in which it was declined.
        """
        peelable = any(p.reading.peelable for p in self.profiles.values())
        manner = replace(
            self.manner,
            tables=self.manner.tables or isinstance(why, Unkeyed),
            records=self.manner.records or isinstance(why, Unplaced),
            adds=self.manner.adds or isinstance(why, Adding),
            peels=self.manner.peels or (isinstance(why, Changing) and peelable),
            counted=self.manner.counted | ({why.f} if isinstance(why, Counting) else set()),
        )
        if manner != self.manner:
            return Session(given, self.infer, self.left, manner)
        if not self.read:
            return None
        body = getattr(why, "body", None)
        one = body is not None and len(self.left) < _BODIES
        return Session(given, self.infer, self.left | {body} if one else None, self.manner)

    def hold_given(self, *values: Any) -> None:
        """Note what comes from outside, into which nothing is written."""
        self.given |= _ids(values)

    def known_class(self, P: type) -> None:
        """Note a class on which the texts rely."""
        if P not in self.classes:
            objects.hold_class(P)
            self.classes[P] = objects.snapshot(P)

    def is_axisless(self, v: Any) -> bool:
        """Whether a number stands for an array without axes."""
        return self.axisless.get(id(v), self) is v

    def is_remade(self, v: Any) -> bool:
        """Whether an object is the recorded run's own, in the place of one that is given."""
        return any(v is made for _, made in self.memo.values())

    @contextlib.contextmanager
    def making(self, v: Any) -> Iterator[None]:
        """While a constructor runs, its object has no fields that would tell its kind."""
        self.made[id(v)] = v
        self.unmade.add(id(v))
        try:
            yield
        finally:
            self.unmade.discard(id(v))

    def kind_of_given(self, v: Any) -> Kind:
        """The kind of an argument."""
        return ("O", type(v)) if id(v) in self.unmade else widened(kind_of(v))

    def kinds_for(self, f: Any, values: tuple[Any, ...]) -> tuple[Kind, ...]:
        """The kinds of a function's arguments."""
        kinds = tuple(map(self.kind_of_given, values))
        return Counted.of(kinds, values) if f in self.manner.counted else kinds

    def watch(self) -> Watch:
        """What a library's function is handed on records by this."""
        return Watch(self)

    def profile(self, f: FunctionType, kinds: tuple[Kind, ...]) -> Profile:
        """What is known of a function with arguments of these kinds."""
        key = f, kinds
        known = self.profiles.get(key)
        if known is None:
            if len(self.profiles) >= _LIMIT:
                raise Declined("a large call tree")
            known = self.profiles[key] = Profile(self, f, kinds)
            self.hold_given(*known.reading.constants.values(), *defaults_of(f))
        return known

    def inner(self, f: FunctionType, bound: tuple[Any, ...]) -> tuple[Profile, tuple[Any, ...]]:
        """What is known of a function, and its arguments, with what one inside another captured."""
        if is_closure(f):
            bound = (*f.__dict__[CAPTURED].values(), *bound)
            f = self.closures.setdefault(f.__code__, f)
        return self.profile(f, tuple(widened(kind_of(v)) for v in bound)), bound

    def inferred(self, profile: Profile) -> Any:
        """What follows from the kinds of the arguments; of a function that calls itself, what was seen."""
        if profile in self.open:
            self.open[profile] = True
            return profile
        if profile not in self.known:
            self.open[profile] = False
            try:
                made = self.infer(profile)
            except Declined as why:
                why.body = why.body or (profile.f if profile.f in self.read else None)
                raise
            if self.open.pop(profile) and made.result != profile.result:
                raise Declined("a recursion whose kinds do not settle")
            self.known[profile] = made
        return self.known[profile]


def _ids(v: Any) -> set[int]:
    """Which objects are in a value, with itself."""
    whole = id(v)
    if objects.is_object(v) or type(v) is dict:
        v = tuple(v.values() if type(v) is dict else objects.stored(v).values())
    inside = [_ids(part) for part in v] if type(v) in (tuple, list) else []
    return {whole, *map(id, owners(v))}.union(*inside)
