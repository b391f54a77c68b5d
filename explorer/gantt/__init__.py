"""The Gantt chart: slots by time, drawn from the columns of a schedule."""
