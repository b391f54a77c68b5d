"""The panels beside the charts: jobs, cluster, scenarios and the inspector."""
