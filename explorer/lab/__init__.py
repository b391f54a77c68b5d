"""The policy lab: a policy's own output, its variables and its mistakes while it runs, beside the chart.

Expressions that a user types are evaluated in the process of policy files alone.
"""
