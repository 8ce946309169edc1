"""What an object keeps, whatever its class answers when it is asked."""

from typing import Any

from chainrules.tangents.own_dict import own_dict


class Asked:
    __slots__ = ("v",)

    def __getattr__(self, name: str) -> Any:
        raise KeyError(name)


class Delegating:
    def __init__(self) -> None:
        self.v = 2.0

    def __getattribute__(self, name: str) -> Any:
        raise KeyError(name)


def test_no_method_of_the_class_is_asked() -> None:
    assert own_dict(Asked()) == {}
    assert own_dict(Delegating()) == {"v": 2.0}
    assert own_dict(2.0) == {}
