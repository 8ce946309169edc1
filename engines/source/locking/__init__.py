"""Locking: arrays that a pullback reads later cannot be written into meanwhile."""
