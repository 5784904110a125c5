"""What is said aloud: words for numbers, dice, plays and verdicts in the players' language."""
