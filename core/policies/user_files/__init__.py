"""Policy files of users: load, check, run in a process of their own, explain why not compiled.

Errors name the line of the user's file.
There is no built-in policy here.
"""
