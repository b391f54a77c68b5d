"""Where things stand in a chart: time scale, rows, marks, hit tests.

Pure: no painting, tested without a window.
There is no colours and no widget here.
"""
