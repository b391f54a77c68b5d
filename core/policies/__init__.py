"""The schedulers, one file per family; `registry` lists them, `policy` defines the hooks.

A policy of a user's file is the same kind of class.
Nothing here runs a policy: that is `core.simulation`.
"""
