"""The panels around the charts: jobs, cluster, pools, scenarios, inspector.

They show the document and ask it for edits.
There is no chart and no computation here.
"""
