"""The session on disk: autosaved, offered again after a crash.

Atomic files, one folder per running window.
No widget belongs here.
"""
