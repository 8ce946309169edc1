"""Specialised programs: texts written for the kinds of values that a function was seen with.

A function whose gradient is taken again and again with arguments of the same kinds gets a text of its
own: elementary rules written in, nothing looked up, shapes and whole numbers never differentiated. It is
written only for call trees without effects, so that it may be given up at any point: where a run
does something that no recorded run did, or raises, the ordinary program runs in its place.
Its folders stand in the order in which a program travels; each imports those before it, none after it.

- `reading`: from a function to simple steps, whose values have kinds, and from a text to a function;
- `inferring`: the kinds of all values, and what stands for one array that is written into;
- `writing`: the texts of a gradient, forward and backward, with the rules of single operations;
- `pushing`: the pushforward of a text, for directions, Hessians and Jacobians;
- `running`: programs of texts, and which of them a call runs.
"""
