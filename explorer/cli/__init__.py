"""The command line: one module per command, imported only when it is asked for.

Exit 0 done, 1 a failure of ours, 2 bad input.
There is no window, but for opening it here.
"""
