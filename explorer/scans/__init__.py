"""The window of shared scans: subjobs, boarding and circles of three policies side by side."""
