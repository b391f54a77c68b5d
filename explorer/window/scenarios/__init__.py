"""What is done with scenarios: edits, pools, the search, studies, and why."""
