"""What a chart shows and where: its content, the tasks sorted into rows, times and rows as pixels.

Everything that painters need of one frame is gathered in a `ChartFrame`.
Nothing here paints, and only `chart_frame.py` knows Qt.
"""
