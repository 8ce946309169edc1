"""Where classes of tangents find what is defined over all of them.

A tangent's `+` is `add`, which knows every class of tangents; so no class can import it. Each of these is
set once, at the end of the module that defines it, when the part is imported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

add: Callable[[Any, Any], Any]  # addition
scale: Callable[[Any, Any], Any]  # vectors
same_values: Callable[[Any, Any], bool]  # equality
move: Callable[[Any, Any], Any]  # motion
fields: Callable[[Any], dict[str, Any]]  # structure
array_function: Callable[..., Any]  # views, for an indexed tangent
