"""Why a schedule is as it is: critical path, reasons of tasks, decisions, forks, findings.

Works on finished schedules and on runs replayed to an instant.
Nothing here decides a schedule.
"""
