"""The command line: one file per group of commands; Qt is imported only for a window or a picture."""
