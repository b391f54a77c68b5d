"""Speed figures: each module is a command that prints ratios measured in one run; nothing here is a test."""
