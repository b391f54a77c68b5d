"""The chart of one schedule: geometry, raster, layers, gestures, and the view that joins them.

`gantt_view.py` is the widget, `export.py` draws the same charts into files.
Nothing here edits the document: a finished gesture is a request.
"""
