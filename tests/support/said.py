"""The texts of a snapshot: the keys of its messages, or its words in English."""

from companion.core import Message
from companion.texts import phrase, render


def notice_of(snapshot):
    """The line about the table; empty where there is none."""
    return words_of(snapshot.notice) or ""


def words_of(message):
    """A message in English; None where there is none."""
    return None if message is None else render(message)


def phrase_of(message):
    """A message in English as it stands in a sentence; None where there is none."""
    return None if message is None else phrase(message)


def keys_of(message):
    """The keys of a message and of all messages in it; empty where there is none."""
    if isinstance(message, Message):
        return {message.key}.union(*(keys_of(fact) for fact in message.facts.values()))
    return set().union(*(keys_of(fact) for fact in message)) if isinstance(message, tuple) else set()
