"""The session on disk: autosaved, offered again after a crash.

Atomic files, one folder per running window.
There is no widget but the question whether to restore here.
"""
