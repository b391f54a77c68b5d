"""What lies around the charts: side bar, inspector, notes, and where the panels are."""
