"""The values that everything else speaks of: workload, job, pool, cluster, schedule, execution history.

Frozen dataclasses over read-only columns, with the errors that say what is wrong with one.
Nothing here runs, measures, reads or writes one.
"""
