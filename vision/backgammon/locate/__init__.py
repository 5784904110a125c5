"""Find a framed board in a picture of its starting position."""
