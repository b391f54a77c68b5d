"""What a search for balanced pools tries: a picture to look at, point at and choose from."""
