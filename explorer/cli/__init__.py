"""The command line: a command is a class whose fields are its options; it imports what it needs when it runs.

Exit 0 done, 1 a failure of ours, 2 bad input, 3 checks of a policy that found something.
No window belongs here; `explorer.app` opens it.
"""
