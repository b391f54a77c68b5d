"""The chart of one schedule: geometry, raster, layers, gestures, and the view that joins them.

Folders are in the order of what may import what.
There is no document edits: a finished gesture is a request here.
"""
