"""The one way to run a policy on a workload: set-up, engine selection, snapshots, failures in sentences.

`simulate` for a whole run, `Simulation` for a run that can be stopped, forked and continued.
No measure of the result belongs here.
"""
