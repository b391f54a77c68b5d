"""What a schedule looks like, without Qt: its rows, their colours, as pixels and as a page for browsers."""
