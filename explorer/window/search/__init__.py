"""What is found in a window by typing: anything at all with Ctrl+K, jobs, tasks and slots with Ctrl+F."""
