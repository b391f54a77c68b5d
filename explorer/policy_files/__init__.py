"""Policy files of users in the window: open, trust, watch, reload, report what is wrong.

A file runs only after its user was asked.
Nothing here compiles.
"""
