"""Texts about the settings, and why they cannot be changed."""

from __future__ import annotations

from companion.texts.catalogue import marked

TEXTS = {
    "settings.busy.game": marked(
        "A game is on: this can be changed before its first roll or after its end. The language, the voice and who may "
        "watch can be changed at any time."
    ),
    "settings.busy.match": marked(
        "A match is on: settings can be changed after it, or now on the screen of both players, if both agree. "
        "A change of the rule sheet, of what is played for or of the players ends it."
    ),
    "settings.changed": marked("The settings were changed: {what}."),
    "settings.reverted": marked(
        "The table could not be opened with the new settings, so it keeps the old ones: {why}."
    ),
    "settings.camera.gone": marked(
        "The camera chosen in the settings is not there, so Boardside looks for another: {why}."
    ),
    "settings.damaged": marked(
        "The settings could not be read: the file is kept as {kept}, and the usual settings apply."
    ),
    "settings.not_written": marked(
        "This cannot be kept on the disk: {why}. Free some space there or make it writable, then try again."
    ),
    "settings.unsound": marked("These settings cannot be kept: {why}."),
    "settings.sheet.gone": marked("The rule sheet {sheet} is gone: the usual one applies."),
    "settings.sheet.large": marked("This sheet is too large: at most {most} bytes."),
    "settings.sheet.unsound": marked("This sheet cannot be used: {why}."),
    "settings.sheet.base": marked("This sheet cannot be used: base = {base}, expected one of {known}."),
    "settings.sheet.examples": marked("This sheet has {count} examples: at most {most} can be checked here."),
    "settings.sheet.name": marked(
        "A sheet cannot be called {sheet}: use small letters, digits, hyphens and underscores, at most 40 of them."
    ),
    "settings.sheet.taken": marked("There is a sheet called {sheet} already: give yours another name."),
    "settings.sheet.many": marked("There are {most} sheets of your own already: remove one first."),
    "settings.sheet.none": marked("There is no sheet of your own called {sheet}."),
    "settings.sheet.in_use": marked("The sheet {sheet} is in use: choose another one first."),
    "setting.sheet": marked("the rule sheet"),
    "setting.terms": marked("what is played for"),
    "setting.names": marked("the players’ names"),
    "setting.clock": marked("the clock"),
    "setting.dice": marked("the dice"),
    "setting.hints": marked("the hints"),
    "setting.language": marked("the language"),
    "setting.speech": marked("the voice"),
    "setting.mirror": marked("which way the board lies"),
    "setting.camera": marked("the camera"),
    "setting.watch": marked("who may watch"),
    "setting.opponent": marked("the opponent"),
    "setting.level": marked("how strong the opponent plays"),
    "setting.pictures": marked("the pictures kept"),
}
