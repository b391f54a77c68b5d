"""Policy files of users: load, check, guard against endless loops, say why not compiled.

Errors name the line of the user's file.
There is no built-in policy here.
"""
