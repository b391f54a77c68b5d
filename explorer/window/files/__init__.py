"""Documents and logs from and to the disk, and what is exported."""
