"""Write a derivative rule once; every Python engine of automatic differentiation can use it."""

__version__ = "0.1.0.dev0"

__all__ = ["__version__"]
