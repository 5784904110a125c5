"""Text formats for positions, plays and matches; one module for each."""
