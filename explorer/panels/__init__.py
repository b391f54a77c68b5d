"""The panels around the charts: jobs, cluster, pools, scenarios, inspector.

They show the document and ask it for edits.
No chart and no computation belongs here.
"""
