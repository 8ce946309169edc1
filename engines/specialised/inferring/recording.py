"""Recording: one run of a function that notes the kind of every value.

The function runs from a text of its own, in which each step tells what it made. What could have an effect
is declined before it is done, and arrays that are written into are copies, so that nothing is changed by
the run.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
from types import FunctionType
from typing import Any

import numpy as np

from ..reading import closures, merging, objects, spreading
from ..reading.anew import holding_anew, still_anew
from ..reading.arguments import as_given
from ..reading.bodies import Body
from ..reading.calls import hold, is_filling, is_holding, is_of_rules, is_users
from ..reading.compiling import compiled
from ..reading.composed import Counted, Given, Kind, count_in
from ..reading.declined import RECORDED, Adding, Counting, Declined
from ..reading.generating import is_generator
from ..reading.handing import is_handed
from ..reading.held import Held, is_answering, is_of_library, is_of_made
from ..reading.kinds import MIXED, has_listed, has_object, is_complex, join, kind_of, kind_of_given, widened
from ..reading.ordering import SORTED
from ..reading.steps import OPERATORS
from .containers import Key
from .holding import hold_apart, hold_number
from .methods import Methods
from .noted import CALLS
from .observing import bound_arguments, owners, tiny
from .recorded import text_of

_ATTRIBUTES = frozenset({"shape", "size", "ndim", "T", "dtype", "strides", "itemsize", "nbytes"})
_MANY = 512  # values whose kinds are kept in their order
_SYMBOLS = {op: symbol for symbol, op in OPERATORS.items()}


class Profile(Methods):
    """What was seen of one function with arguments of these kinds."""

    def __init__(self, session: Any, f: FunctionType, kinds: tuple[Kind, ...]) -> None:
        super().__init__(session, f, kinds)
        self.constants = {n: kind_of_constant(n, v) for n, v in self.reading.constants.items()}
        self.counts: set[tuple[Any, ...]] = set()  # the whole numbers that it was given
        self.result: Kind | None = None
        self.writes: bool | None = None  # into what it was given, once that was asked
        self._run: Any = None

    def run(self, *args: Any) -> Any:
        """Call the function, noting."""
        if self._run is None:
            values, memo = self.reading.constants, self.session.memo
            remade = {n: k for n, k in self.constants.items() if n.isidentifier() and is_remade(k)}
            helpers = {"_see": self} | {n: as_given(values[n], k, memo) for n, k in remade.items()}
            first = self.f.__code__.co_firstlineno
            lines, at = text_of(self.reading.parameters, self.reading.steps, first)
            self._run = compiled(self.f, RECORDED, lines, helpers, at=at)
        y = self._run(*args)
        k = widened(kind_of(y))
        self.result = k if self.result is None else join(self.result, k)
        return y

    def run_for_counts(self, *args: Any) -> Any:
        """The same; Counting where it is declined, and was run before with other whole numbers."""
        counts = tuple(map(count_in, args))
        self.counts.add(counts)
        try:
            return self.run(*args)
        except Counting:
            raise
        except Declined as why:
            if len(self.counts) == 1 or type(self.kinds) is Counted:
                raise
            made = Counting(self.f, why)
            made.body = why.body
            raise made from why

    def renew(self) -> None:
        """Forget what stands outside as it was given to a run before."""
        if any(map(is_remade, self.constants.values())):
            self._run = None

    # what the text calls

    def value(self, number: int, v: Any) -> Any:
        """Note a value."""
        k = kind_of(v)
        old = self.seen.get(number)
        in_order = self.sequences.setdefault(number, [])
        if len(in_order) < _MANY:
            in_order.append(k)
        if old != k and old != MIXED:
            try:
                self.seen[number] = k if old is None else join(old, k)
            except Declined:
                self.seen[number] = MIXED
        if type(v) is range:
            self.ranges[number] = v if self.ranges.get(number, v) == v else None
        return v

    def binary(self, number: int, op: Any, a: Any, b: Any) -> Any:
        """An operator of two values."""
        if type(a) is dict and type(b) is dict and op is operator.or_:
            return self.keyed(number, merging.merged, a, b)
        if number in self.ways or objects.is_object(a) or objects.is_object(b):
            objects.hold_rule(op, (a, b))
            way, f = objects.operator_of(_SYMBOLS[op], a, b)
            a = float(a) if way == "reflected number" else a
            return self.through(number, way, f, (a, b) if way == "operator" else (b, a))
        if number in self.noted["operator"] or is_of_made(a) or is_of_made(b):
            return self.operator_of_library(number, op.__name__, a, b)
        if isinstance(b, tuple) and "of one" in self.reading.every[number].facts:
            raise Declined("a tuple as a text")
        if type(a) is np.ndarray and isinstance(b, list | tuple):
            b = self.as_array(number, 1, b)
        elif type(b) is np.ndarray and isinstance(a, list | tuple):
            a = self.as_array(number, 0, a)
        if self.alike.get(number, True):
            self.alike[number] = _shape(a) == _shape(b)
        return self.value(number, op(a, b))

    def in_place(self, number: int, op: Any, a: Any, b: Any) -> Any:
        """An operator that writes into its first operand, where that is an array."""
        if type(a) is dict:
            raise Declined("a dictionary that is changed by an operator")
        if self.session.is_axisless(a):
            raise Declined("an array without axes that is changed in place")
        hold_apart(a)
        name = f"__i{op.__name__.strip('_')}__"
        if objects.is_object(a) and objects.lookup(type(a), name) is not objects.lookup:
            objects.hold_rule(op, (a, b))
            return self.through(number, "in place", objects.method(type(a), name), (a, b))
        made = self.binary(number, op, a, b)
        if type(a) is np.ndarray:
            if made.shape != a.shape or made.dtype != a.dtype:
                raise Declined("an array of another kind that is changed in place")
            self.stored(a)[...] = made
            return a
        return made

    def call(self, number: int, f: Any, *args: Any, **kwargs: Any) -> Any:
        """A call of a function, a class or an object."""
        if f is functools.partial:
            return self.partial(number, args, kwargs)
        partial = kind_of(f) if type(f) is functools.partial else None
        self.same(number, partial, "a call of one partial or another", "partial")
        if partial is not None:
            f, args, kwargs = f.func, (*f.args, *args), f.keywords | kwargs
        if is_of_rules(f, "scipy.results.with_entries"):
            return self.replaced(number, f, *args)
        if is_holding(f) or f is holding_anew or (is_filling(f) and type(args[0]) is Held):
            return self.held_by(number, f, args)
        if f is still_anew:
            self.way(number, "still")
            return self.value(number, args[0])
        if f is objects.object_anew:
            return self.anew(number, *args)
        if f is merging.merged or f is merging.dict_of:
            return self.keyed(number, f, *args)
        if (f is list or f is tuple) and len(args) == 1 and (of := self.maker_of_list(f, args[0])):
            return of(number)
        if type(f) is FunctionType and f in SORTED and type(args[0]) is dict:
            return self.of_dictionary(number, SORTED[f], args[0])
        if f is sum and args and objects.are_objects(*args, **kwargs):
            raise Adding("a sum of objects")
        if (f is len or f is abs) and len(args) == 1 and objects.is_object(args[0]):
            return self.protocol(number, "protocol", f, f"__{f.__name__}__", args)
        if closures.is_closure(f):
            return self.inner(number, f, args, kwargs)
        if objects.is_object(f):
            return self.through(number, "object", objects.method(type(f), "__call__"), (f, *args), kwargs)
        if f is type and len(args) == 1 and objects.has_methods(args[0]):
            return self.class_of(number, args[0])
        if f is dataclasses.replace:
            return self.copy_with(number, args[0], kwargs)
        if objects.is_plain_class(f):
            return self.make(number, f, args, kwargs)
        if isinstance(f, type) and objects.is_named(f):
            return self.name(number, f, args, kwargs)
        if self.ways.get(number, "closure") not in CALLS:
            raise Declined("a call of an object or a function")
        if is_answering(f) != (number in self.answering) and number in self.called:
            raise Declined("a call of an object of a library or a function")
        if is_answering(f):
            f, args = self.answered(number, f, args)
        if self.called.setdefault(number, f) is not f:
            self.several.add(number)
        if is_users(f):
            return self.users(number, f, args, kwargs)
        if is_handed(f, args, kwargs):
            return self.handing(number, f, args, kwargs)
        hold(f, args, kwargs)
        hold_number(self.session, f, args)
        args = self.with_arrays(number, f, args, kwargs)
        body = self.body_of(number, f, args, kwargs)
        if body is not None:
            return self.written(number, body, args, kwargs)
        args, kwargs = self.bare_arguments(number, f, args, kwargs)
        self.call_of(number, None)
        sample = tuple(map(tiny, args)), {k: tiny(v) for k, v in kwargs.items()}
        self.samples.setdefault(number, sample)
        samples = self.samples_in_order.setdefault(number, [])
        if len(samples) < _MANY:
            samples.append(sample)
        if len(args) == 2 and not kwargs and self.alike.get(number, True):
            self.alike[number] = _shape(args[0]) == _shape(args[1])
        return self.result_of(number, f, f(*args, **kwargs))

    def users(
        self, number: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], way: str | None = None
    ) -> Any:
        """A call of a function that is read in turn."""
        if is_generator(f) and "consumed" not in self.reading.every[number].facts:
            raise Declined("a generator that is not gone through at once")
        bound = bound_arguments(f, args, kwargs)
        kinds = self.session.kinds_for(f, bound)
        callee = self.session.profile(f, kinds)
        self.call_of(number, (f, kinds), way)
        return self.value(number, callee.run_for_counts(*bound))

    def call_of(self, number: int, callee: tuple[Any, ...] | None, way: str | None = None) -> None:
        """Note whom a step calls, which may be another in each turn of a loop, and what asked for it.

        The callee is None for a function of a library, the keys for a method of a dictionary.
        """
        in_order = self.callees_in_order.setdefault(number, [])
        if len(in_order) < _MANY:
            in_order.append((way, callee))
        if in_order[0] != (way, callee):
            self.several.add(number)
        if callee is not None and way != "dictionary":
            self.callees.setdefault(number, callee)

    def written(self, number: int, body: Body, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call whose rule is a program that is read in turn."""
        data, named = body.given((*args, *kwargs.values()), lambda v: v)
        self.session.entered.add(body.program)
        try:
            return self.users(number, body.program, tuple(data), named)
        except Declined as why:
            why.body = why.body or body.program
            raise
        finally:
            self.session.entered.discard(body.program)

    def attribute(self, number: int, name: str, owner: Any) -> Any:
        """An attribute of an array or object."""
        if objects.is_object(owner):
            return self.field(number, name, owner)
        if is_of_made(owner):
            return self.attribute_of_held(number, name, owner)
        if isinstance(owner, type) and is_of_library(owner):
            return self.attribute_of_class(number, name, owner)
        if objects.is_choice(owner) and name in ("value", "name"):
            return self.of_choice(number, name, owner)
        if isinstance(owner, type) and objects.is_plain_class(owner):
            return self.shared_by_class(number, name, owner)
        if name == "flat" and type(owner) is np.ndarray:
            return self.flat(number, owner)
        if number in self.ways:
            raise Declined("an attribute of an object or an array")
        if objects.is_result(owner) and name in owner:
            return self.value(number, owner[name])
        if objects.is_named(type(owner)) and name in type(owner)._fields:
            return self.value(number, getattr(owner, name))
        if isinstance(owner, np.dtype) and name in ("kind", "char", "itemsize"):
            return self.value(number, getattr(owner, name))
        if name == "__name__" and callable(owner):
            return self.value(number, owner.__name__)
        parts = name == "real" and type(owner) in (np.ndarray, np.float64) and owner.dtype == float
        parts |= name in ("real", "imag") and is_complex(kind_of(owner))
        parts |= name == "mT" and type(owner) is np.ndarray and owner.ndim == 2
        if not parts and (type(owner) not in (np.ndarray, np.float64) or name not in _ATTRIBUTES):
            raise Declined(f"the attribute {name}")
        return self.value(number, getattr(owner, name))

    def star(self, number: int, v: Any) -> Any:
        """What is spread out among the arguments of a call; of a dictionary its entries, by name."""
        if type(v) is dict and "by name" in self.reading.every[number].facts:
            kinds = tuple(map(kind_of, v.values()))
            self.stars[number] = spreading.joined(self.stars.get(number), kinds)
            return self.value(number, v)
        if type(v) not in (tuple, list, Given, np.ndarray) and not objects.is_named(type(v)):
            raise Declined(f"a star before a {type(v).__name__}")
        self.stars[number] = spreading.joined(self.stars.get(number), tuple(map(kind_of, v)))
        return self.value(number, v)

    def filters(self, number: int) -> Any:
        """What opens a block under filters of warnings."""
        return self.reading.every[number].facts["filters"][0]()

    def tell(self, number: int, *args: Any) -> None:
        """Note what is told, and to whom."""
        facts = self.reading.every[number].facts
        if "unless" in facts and facts["unless"]():
            raise Declined("a message that somebody hears")
        if "tells" in facts:
            self.session.told.append((facts["tells"], args))

    def arm(self, number: int, which: bool) -> None:
        """Note a branch."""
        self.taken.add((number, which))

    declined = Declined
    operators = OPERATORS
    key = Key()

    def stored(self, base: Any, number: int | None = None) -> Any:
        """What is written into: a list or array that the run made, or a copy of an argument."""
        if type(base) is dict and number is not None:
            return self.entered(number, base)
        if type(base) is not np.ndarray:
            return self.appended(base)
        if any(id(owner) in self.session.given for owner in owners(base)):
            raise Declined("an array from outside that is written into")
        return base

    def appended(self, base: Any) -> Any:
        """A list that grows."""
        if type(base) is not list or id(base) in self.session.given:
            raise Declined("a list from elsewhere that is changed")
        return base


def is_remade(k: Kind) -> bool:
    """Whether a recorded run is given something else for what has this kind."""
    return has_listed(k) or has_object(k)


def kind_of_constant(name: str, v: Any) -> Kind:
    """The kind of what stands outside under a name, or under the name of a module and one in that."""
    return kind_of_given(v) if name.isidentifier() else kind_of(v)


def _shape(v: Any) -> Any:
    """The shape of an array, or of a number."""
    return getattr(v, "shape", ())
