"""Checks of one policy: run on many small workloads; what is found is shrunk to the smallest one.

A check says what is true of a policy (it starves, it leaves slots idle) or wrong with it (it fails, it is not
the same twice); `policy_report` runs them. Nothing here changes a policy, and files run in their process.
"""
