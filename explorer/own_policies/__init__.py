"""Policy files of users in the window: trust, loading, following edits, and what is wrong with them."""
