"""The table: what is declared of each callable, by the identity of the callable.

An entry holds its callable, so that no other object can take over the key.
"""

from __future__ import annotations

from typing import Any

table: dict[int, Any] = {}
"""`Rules` by `id(rules.f)`; read it without a lock, write it under `caches.lock`."""
