"""What the mouse and the keyboard do on a chart: pan, zoom, drag, select, measure.

A gesture moves nothing itself: it asks.
There is no painting beyond the pointer here.
"""
