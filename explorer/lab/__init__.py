"""The policy lab: what a policy says, watches and does wrong while it runs, beside the chart.

Expressions that a user types are evaluated in the process of policy files alone.
"""
