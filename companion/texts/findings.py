"""What the referee says where a look leaves a doubt."""

from __future__ import annotations

from companion.texts.catalogue import marked

TEXTS = {
    "unreadable.too_many_changes": marked("{changed} places differ from before: no single turn does that."),
    "unreadable.total": marked("{total} checkers of {side}'s are to be seen, expected {expected}."),
    "illegal.or_else": marked("{what} (Not every cell is certain; it may also be: {reasons}.)"),
    "ambiguous": marked(
        "I cannot tell, because {places} can be read in more than one way: {readings}. Please straighten it."
    ),
    "ambiguous.between": marked("I cannot tell, because a checker lies {places}. Push it onto one of them."),
    "ambiguous.between.several": marked(
        "I cannot tell, because checkers lie {places}. Push each onto one of its two places."
    ),
    "between": marked("between {first} and {second}"),
    "reading.legal": marked("{play} (legal)"),
    "reading.legal.nothing": marked("nothing moved (legal)"),
    "reading.illegal": marked("{made} (illegal: {reason})"),
    "reading.illegal.other": marked("something else (illegal: {reason})"),
    "reading.not_moved": marked("nothing moved"),
    "reading.goes_on": marked("a turn that goes on"),
    "taken_back": marked("the turn is taken back: put the board back as it stood before it; {places} still differ."),
}
