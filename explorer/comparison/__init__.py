"""Schedules side by side in figures: makespans, metrics, completion, slots in use.

Works on outcomes that are there.
Nothing here simulates.
"""
