"""Methods in a recorded run: those of arrays, ufuncs, lists, dictionaries, texts and objects."""

from __future__ import annotations

from typing import Any

from ..reading import merging, objects, wording
from ..reading.calls import method_of
from ..reading.declined import Declined, Unkeyed
from ..reading.held import is_of_made
from .containers import Containers


class Methods(Containers):
    """What the text of a recorded run calls where a method is called."""

    def method(self, number: int, name: str, owner: Any, *args: Any, **kwargs: Any) -> Any:
        """A call of a method of an array or object."""
        if objects.is_without_object(owner, name):
            return self.method_of_class(number, name, owner, args, kwargs)
        if objects.is_object(owner):
            if name in (fields := objects.stored(owner)):
                objects.hold_attribute(owner, name)
                self.held.add(number)
                return self.call(number, fields[name], *args, **kwargs)
            if number in self.held:
                raise Declined("a field that is called, or a method")
            f = objects.method(type(owner), name)
            return self.through(number, "method", f, (owner, *args), kwargs)
        if is_of_made(owner):
            return self.method_of_held(number, name, owner, args, kwargs)
        if type(owner) is str and name in wording.METHODS and not kwargs:
            return self.of_text(number, name, owner, args)
        if type(owner) is list:
            return self.of_list(number, name, owner, *args, **kwargs)
        if type(owner) is dict and name == "copy" and not args:
            return self.keyed(number, merging.merged, owner)
        if type(owner) is dict and name == "update":
            return self.updated(number, owner, *args, **kwargs)
        if type(owner) is dict and name in ("items", "keys", "values", "get"):
            return self.of_dictionary(number, name, owner, *args, **kwargs)
        if objects.is_named(type(owner)):
            if name == "_replace":
                return self.copy_with(number, owner, kwargs)
            return self.through(number, "method", objects.method(type(owner), name), (owner, *args), kwargs)
        if type(owner) is dict:
            raise Unkeyed(f"the method {name} of a dictionary")
        if number in self.ways:
            raise Declined("a method of an object or an array")
        f = method_of(type(owner), name)
        if f is None:
            raise Declined(f"the method {name}")
        return self.call(number, f, owner, *args, **kwargs)
