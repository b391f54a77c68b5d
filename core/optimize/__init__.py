"""The best schedule: how short any could be (bounds), and the search for one that is as short.

Works on workload and cluster, with what policies and the engine offer to try a schedule.
Nothing here runs a scenario of a document: that is `core.simulation`.
"""
