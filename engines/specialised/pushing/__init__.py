"""Pushing: the pushforward of a text, for directions, Hessians and Jacobians."""
