"""Line, bar and scatter plots: one axis, distribution functions, histograms, curves over time.

Drawn by pyqtgraph or QPainter from arrays.
Nothing here computes what is drawn.
"""
