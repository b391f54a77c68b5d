"""The compiled event loop; knows no policy."""
