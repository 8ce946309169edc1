"""The rules for `scipy.differentiate`; importing this registers them all."""

from . import differences as differences
