"""What the mouse and the keyboard do on a chart: pan, zoom, drag, select.

A gesture asks the chart, which it knows as the protocol `Chart`; it changes nothing itself.
Nothing here paints.
"""
