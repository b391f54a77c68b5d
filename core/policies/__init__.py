"""The schedulers, one file per family; `registry` lists them, `policy` says what a hook is.

A policy of a user's file is the same kind of class.
Nothing here runs a policy: that is `core.simulation`.
"""
