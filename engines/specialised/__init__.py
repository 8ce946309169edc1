"""Specialised programs: texts written for the kinds of values that a function was seen with.

A function whose gradient is taken again and again with arguments of the same kinds gets a text of its
own: elementary rules written in, nothing looked up, shapes and whole numbers never differentiated. It is
written only for call trees without effects, so that it may be given up at any point: where a run
does something that no recorded run did, or raises, the ordinary program runs in its place.
In the order in which a program travels: reading, recording, inference, memory, activity, forward, backward,
programs, entry.
"""
