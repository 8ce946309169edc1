"""Objects in a recorded run: constructors, attributes, operators and functions defined inside.

What an object's operator, property or call does is done by a function of its class, which is recorded as
any other; `ways` notes how a step came to call it. Fields are set on objects that the run made, no others.
"""

from __future__ import annotations

import functools
import inspect
import operator
from types import FunctionType
from typing import Any

import numpy as np

from ....core.registry import rules_of
from ...source.reading.generated import generated_initialiser
from ..reading import closures, objects
from ..reading.arguments import parameters_of
from ..reading.bodies import Body
from ..reading.calls import hold_function, is_flat, is_of_rules, is_solution, is_users, lists_of
from ..reading.composed import Given, Made
from ..reading.declined import Changing, Declined
from ..reading.expecting import below
from ..reading.generating import is_generator
from ..reading.handing import Handing, hold_quiet
from ..reading.held import Held, bare, holds_made, is_made
from ..reading.inner import gradient_at
from ..reading.kinds import is_real, kind_of, widened
from ..reading.templates import result_template, template
from .noted import Noted


class Observing(Noted):
    """What the text of a recorded run calls where there are objects."""

    def with_arrays(self, number: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The arguments of a call, with arrays in the place of lists of which the function makes some."""
        places = lists_of(f, tuple(map(bare, args)), kwargs)
        if "no list" in self.reading.every[number].facts and type(args[0]) in (list, tuple):
            raise Declined("a list among arrays that are joined")
        return tuple(self.as_array(number, i, a) if i in places else a for i, a in enumerate(args))

    def as_array(self, number: int, place: int, v: Any) -> Any:
        """The array in the place of a list, which is an argument of a step."""
        made = np.array(v)
        known = self.arrays.setdefault(number, {}).setdefault(place, kind_of(made))
        if known != kind_of(made):
            raise Declined("a list that becomes one kind of array or another")
        return made

    def through(
        self, number: int, way: str, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> Any:
        """A call of a function of a class; `way` tells what asked for it."""
        if not is_users(f):
            raise Declined(f"{f.__qualname__}, or another")
        self.way(number, way)
        self.session.known_class(next(type(a) for a in args if objects.has_methods(a)))
        return self.users(number, f, args, kwargs or {}, way)

    def closure(self, number: int, captured: tuple[Any, ...]) -> Any:
        """A function that is defined inside the function."""
        step = self.reading.every[number]
        return self.value(number, closures.made(self.f, step, captured))

    def inner(self, number: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a function that was defined inside another; what it captured are arguments too."""
        self.way(number, "closure")
        if is_generator(f) and "consumed" not in self.reading.every[number].facts:
            raise Declined("a generator that is not gone through at once")
        callee, bound = self.session.inner(f, bound_arguments(f, args, kwargs))
        self.call_of(number, (callee.f, callee.kinds), "closure")
        return self.value(number, callee.run(*bound))

    def anew(self, number: int, P: Any, names: tuple[str, ...], *values: Any) -> Any:
        """An object, list or dictionary in the place of one that was captured; the last two do not change."""
        self.way(number, "anew")
        if P is list or P is dict:
            made = Given(values) if P is list else objects.object_anew(P, names, *values)
            self.session.hold_given(made)
            return self.value(number, made)
        self.session.known_class(P)
        made = objects.object_anew(P, names, *values)
        self.session.made[id(made)] = made
        return self.value(number, made)

    def make(self, number: int, P: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A new object of a class."""
        self.session.known_class(P)
        self.way(number, "make")
        init = generated_initialiser(P) or objects.lookup(P, "__init__")
        named = init in objects.BY_NAME and not args
        if named or objects.generated(P):
            if self.callees.setdefault(number, (P, ())) != (P, ()):
                raise Declined("objects of one class or another")
            if not named:
                bound_arguments(init, (None, *args), kwargs)
            made = P(*args, **kwargs)
            self.session.made[id(made)] = made
            return self.value(number, made)
        if type(init) is not FunctionType or not is_users(init) or objects.is_frozen(P):
            raise Declined(f"the constructor of {P.__name__}")
        made = object.__new__(P)
        bound = bound_arguments(init, (made, *args), kwargs)
        with self.session.making(made):
            kinds = tuple(map(self.session.kind_of_given, bound))
            if self.callees.setdefault(number, (init, kinds)) != (init, kinds):
                raise Changing("a call with arguments of one kind or another")
            if self.session.profile(init, kinds).run(*bound) is not None:
                raise Declined("a constructor that returns something")
        return self.value(number, made)

    def name(self, number: int, P: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A new named tuple."""
        objects.hold_class(P)
        self.way(number, "name")
        if self.callees.setdefault(number, (P, ())) != (P, ()):
            raise Declined("objects of one class or another")
        return self.value(number, P(*args, **kwargs))

    def copy_with(self, number: int, v: Any, changes: dict[str, Any]) -> Any:
        """A copy of an object or named tuple with other fields, as its class makes it of all of them."""
        P: Any = type(v)
        keys = objects.keys_of_copy(P)
        self.same(number, keys, "a copy of one class or another", "copied")
        if not changes.keys() <= set(keys):
            raise Declined(f"a copy of a {P.__name__} with other fields")
        make: Any = self.name if objects.is_named(P) else self.make
        return make(number, P, (), {k: changes[k] if k in changes else getattr(v, k) for k in keys})

    def body_of(self, number: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Body | None:
        """The rule that is read in the place of a call, the same each time."""
        given = {key: bare(v) for key, v in kwargs.items()}
        body: Body | None = self.session.body(f, tuple(map(bare, args)), given)
        if body is not None and body.is_of_held() and not (type(args[0]) is Held and args[0].names):
            body = None
        self.same(number, body, "a call with one rule or another", "body")
        return body

    def handing(self, number: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a library's function that is given functions."""
        hold_function(f)
        if not is_of_rules(f, "written.own"):  # which has the options of a call that was held to be quiet
            hold_quiet(f, args, kwargs)
        body = self.body_of(number, f, args, kwargs)
        if body is not None:
            return self.written(number, body, args, kwargs)
        self.call_of(number, None)
        watch = self.session.watch()
        if f is gradient_at:
            y = self._inner_gradient(watch, *args)
        else:
            given = tuple(map(watch.of, args))
            words = {k: watch.of(v) for k, v in kwargs.items()}
            y = f(*given, **words)
        within = getattr(f, "__chainrules_site__", "") == "within"
        if within or is_solution(f):  # which does not call what it is the solution of, nor its derivative
            x, *rest = args[1:]
            parameters = rest[2:] if within else rest  # after the bounds
            for called in (given[0], *(words[k] for k in ("jacobian", "hessian") if callable(words.get(k)))):
                called(x, *parameters)
        y = self.as_number(number, y)
        watch.hold_all()
        every = (*args, *kwargs.values())
        result = result_template(y, still=is_flat(f))
        call = Handing(f, tuple(map(template, every)), tuple(kwargs), result)
        self.handed[number] = self.handed.get(number, call).joined(call)
        if is_made(y) or holds_made(y):
            raise Declined("an object of a library that comes from a solver")
        self.samples.setdefault(number, (tuple(map(tiny, call.leaves(every))), {}))
        return self.value(number, y)

    def _inner_gradient(self, watch: Any, operator: Any, f: Any, i: int, *x: Any) -> Any:
        """A gradient, and a call that records its function."""
        if not is_real(widened(kind_of(watch.of(f)(*x)))):
            raise Declined("a gradient of what is no number")
        try:
            return gradient_at(operator, closures.unmarked(f), i, *x)
        except Exception as raised:
            raise Declined("a gradient inside that raises") from raised

    def replaced(self, number: int, f: Any, result: Any, names: tuple[str, ...], *values: Any) -> Any:
        """A copy of a solver's result with other entries."""
        self.noted["replaced"][number] = names
        return self.value(number, f(result, names, *values))

    def partial(self, number: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A function of which some arguments are given."""
        self.way(number, "partial")
        if type(args[0]) is functools.partial:
            raise Declined("a partial of another")
        f, *given = args
        return self.value(number, functools.partial(f, *given, **kwargs))

    def call_above(self, number: int, f: Any, owner: Any, *args: Any, **kwargs: Any) -> Any:
        """`super().name(…)`, where that is f for this object as well."""
        above = self.reading.every[number].facts["above"]
        if not objects.is_object(owner) or not below(*above)(Made.of(type(owner), (), ())):
            raise Declined("super() that leads elsewhere")
        self.session.known_class(type(owner))
        if f is None:  # there is no class above but `object`
            return self.value(number, None)
        return self.users(number, f, (owner, *args), kwargs)

    def method_of_class(
        self, number: int, name: str, owner: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """A call of a method that is given no object: the class, or neither."""
        P = owner if isinstance(owner, type) else type(owner)
        found = objects.lookup(P, name)
        f = getattr(found, "__func__", found)
        plain = type(found) is FunctionType and owner is P
        if not objects.is_plain_class(P) or not (plain or isinstance(found, staticmethod | classmethod)):
            raise Declined(f"the method {name} of a class")
        if owner is not P and name in objects.stored(owner):
            raise Declined(f"the field {name}, which the class {P.__name__} has as well")
        if isinstance(found, staticmethod) and rules_of(f) is not None:
            self.same(number, f, "a method of one class or another", "static")
            self.session.known_class(P)
            return self.call(number, f, *args, **kwargs)
        if not is_users(f):
            raise Declined(f"{f.__qualname__}, or another")
        of_class = isinstance(found, classmethod)
        way = "of class" if of_class else "static"
        self.way(number, way)
        self.session.known_class(P)
        return self.users(number, f, (P, *args) if of_class else args, kwargs, way)

    def class_of(self, number: int, v: Any) -> Any:
        """The class of an object."""
        self.session.known_class(type(v))
        self.way(number, "type")
        self.same(number, type(v), "the class of one object or another")
        return self.value(number, type(v))

    def of_choice(self, number: int, name: str, v: Any) -> Any:
        """The value or the name of a member of an enumeration."""
        found = getattr(v, name)
        self.way(number, "choice")
        if not objects.is_constant(found):
            raise Declined(f"the {name} of a member of an enumeration")
        self.same(number, (v, found), "one member of an enumeration or another", sort=Changing)
        return self.value(number, found)

    def shared_by_class(self, number: int, name: str, P: type) -> Any:
        """A value that a class holds for its objects, read from the class."""
        found = objects.named(P, name, objects.named)
        self.way(number, "shared")
        if not objects.is_constant(found):
            raise Declined(f"the attribute {name} of a class")
        self.session.known_class(P)
        self.same(number, found, f"the attribute {name} of a class")
        return self.value(number, found)

    def set_field(self, number: int, owner: Any, name: str, v: Any) -> None:
        """Set a field of an object that is being made, or what its class has a function for."""
        found = objects.lookup(type(owner), name)
        if isinstance(found, property) and objects.is_object(owner) and found.fset is not None:
            self.through(number, "method", found.fset, (owner, v))
            return
        own = self.session.made.get(id(owner)) is owner or self.session.is_remade(owner)
        if not own or objects.is_looked_after(found) or objects.is_frozen(type(owner)):
            raise Declined("an attribute that is set")
        if id(owner) in self.session.computed:
            raise Declined("a field of an object that has computed something of its fields")
        self.value(number, v)
        setattr(owner, name, v)

    def field(self, number: int, name: str, owner: Any) -> Any:
        """A field of an object, its property, or a constant of its class."""
        P = type(owner)
        self.session.known_class(P)
        objects.hold_attribute(owner, name)
        found = objects.lookup(P, name)
        if type(found) is property and found.fget is not None:
            return self.through(number, "property", found.fget, (owner,))
        if isinstance(found, functools.cached_property) and name not in objects.stored(owner):
            if self.session.made.get(id(owner)) is not owner:
                raise Declined(f"the attribute {name} of an object from elsewhere, which it would keep")
            self.session.computed[id(owner)] = owner
            return self.through(number, "property", found.func, (owner,))
        fields = objects.stored(owner)
        if type(found) is FunctionType and name not in fields:
            self.way(number, "bound")
            self.same(number, found, "a method of one class or another")
            return self.value(number, functools.partial(found, owner))
        way = "field" if name in fields else "shared"
        self.way(number, way)
        if objects.is_looked_after(found):
            raise Declined("an attribute of one sort or another")
        if way == "shared":
            if type(found) is np.ndarray:
                self.session.hold_given(found)
                self.session.has_shared = True
            elif not objects.is_constant(found):
                raise Declined(f"the attribute {name} of a class")
            if self.shared.setdefault(number, found) is not found:
                raise Declined(f"the attribute {name} of a class")
            return self.value(number, found)
        return self.value(number, fields[name])

    def unary(self, number: int, op: str, a: Any) -> Any:
        """A sign before a value."""
        if number in self.ways or objects.is_object(a):
            f = objects.unary_of(op, a)
            objects.hold_rule(operator.neg if op == "-" else operator.pos, (a,))
            return self.through(number, "operator", f, (a,))
        if op == "~":
            return self.value(number, ~a)
        return self.value(number, not a if op == "not " else -a if op == "-" else +a)


def bound_arguments(f: FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments by position, with defaults."""
    names = parameters_of(f)
    if not kwargs and len(args) == len(names) == f.__code__.co_argcount:
        return args
    try:
        bound = inspect.signature(f, follow_wrapped=False).bind(*args, **kwargs)
    except TypeError as wrong:
        raise Declined(str(wrong)) from wrong
    bound.apply_defaults()
    return tuple(bound.arguments[n] for n in names)


def owners(v: Any) -> list[Any]:
    """An array and what its memory belongs to."""
    found = [v]
    while isinstance(found[-1], np.ndarray) and found[-1].base is not None:
        found.append(found[-1].base)
    return found


def tiny(v: Any) -> Any:
    """A value of the same type that holds little."""
    if type(v) is np.ndarray:
        return np.ones((1,) * v.ndim, v.dtype)
    return type(v)(map(tiny, v)) if type(v) in (tuple, list) else v
