"""Changes single operators and numbers of the program, and counts which of these faults the tests catch."""
