"""Jobs that scan the same data together: datasets, subjobs, the planner and its fluid model.

What the policies `flex`, `circumflex`, `batch` and `ako` plan with.
No window and no file belongs here.
"""
