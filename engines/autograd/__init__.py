"""HIPS autograd: our rules as its primitives. It is imported when `to_autograd` is called."""
