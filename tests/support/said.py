"""What a snapshot says, in English."""

from companion.texts import render


def notice_of(snapshot):
    """The line about the table; empty where there is none."""
    return words_of(snapshot.notice) or ""


def words_of(message):
    """A message in English; None where there is none."""
    return None if message is None else render(message)
