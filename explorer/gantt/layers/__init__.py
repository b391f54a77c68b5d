"""What is painted over and around the rows: axis, labels, legend, decorations.

A layer paints itself.
There is no mouse and no widget here.
"""
