"""`boardside run`: opens a table, and opens it again for another game or after a change of settings."""

from __future__ import annotations

import os
import signal
import time
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.app.assembly import TableEquipment, open_storage
from companion.app.effective_settings import (
    configured,
    effective_settings,
    of_command_line,
    of_configuration,
    revert_failed_settings,
)
from companion.app.service import Heartbeat, Stop, Threads
from companion.app.storage_wait import StoppedWaiting, open_when_possible
from companion.app.table_opening import Shell, TableOpening
from companion.core import BoardsideError
from companion.interface import RecordRetry
from companion.seats import local_address

if TYPE_CHECKING:
    import argparse

    from companion.app.assembly import TableStorage
    from companion.core import Message
    from companion.session import Session
    from companion.settings import Settings

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104
"""Values of `--host` with which other devices reach the page too."""
LOOPS = ("capture", "game", "web")
"""Names of the loops that must be alive for the watchdog to be pinged."""


class SettingsRevertedError(BoardsideError):
    """The table could not be opened with the settings, which were reverted; `message` says why."""

    def __init__(self, why: Message) -> None:
        super().__init__(str(why))
        self.message = why


def run(args: argparse.Namespace) -> int:
    """Run the table until SIGINT or SIGTERM; returns the exit status. Raises BoardsideError if it cannot start.

    The table is opened again if the camera sees the starting position of the other game between games, and after a
    change of the settings; if it cannot be opened with those, with the ones before.
    """
    threads, stopped = Threads(), Stop()
    game: str | None = None
    said: tuple[Message, ...] = ()

    def stop(*_: object) -> None:
        stopped.set()
        threads.end()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    with closing(Heartbeat.of_service(LOOPS, os.environ)) as heartbeat:
        while True:
            with ExitStack() as stack, suppress(StoppedWaiting):
                try:
                    camera = _open(Shell(args, stack, threads, heartbeat), game, said)
                except SettingsRevertedError as reverted:
                    said = (*said, reverted.message)
                    continue
                where = f"at http://localhost:{args.port} with the {camera}"
                heartbeat.ready(where)
                if not stopped.is_set():
                    print(f"Boardside is {where}{_for_others(args.host, args.port)}; Ctrl-C stops it.", flush=True)
                    threads.stopping.wait()
            if threads.failed or not threads.opens_again or stopped.is_set():
                return int(threads.failed)
            game, said = threads.other_game, ()
            if game is not None:
                print(f"The board is set up for {game}: the table opens again for that game.", flush=True)
            threads = Threads()


def _for_others(host: str, port: int) -> str:
    """The page's address for the other devices of the network, if they reach it."""
    return f" (other devices: http://{local_address()}:{port})" if host in EVERYWHERE else ""


def _open(shell: Shell, game: str | None, said: tuple[Message, ...]) -> str:
    """Open everything for the game that the camera has seen, if any; `said` is the first message.

    Returns the camera's name. Raises SettingsRevertedError if the settings are the cause and others may work.
    """
    args = shell.args
    equipment = TableEquipment.from_args(args)
    asked, preset = of_command_line(args), of_configuration(equipment.configuration)
    sessions: list[Session[Any]] = []

    def try_to_open(attempt: ExitStack) -> TableStorage:
        return open_storage(args.state, dice, attempt, lambda: sessions[0].post(RecordRetry(time.monotonic())))

    def dice(kept: Settings) -> str:
        return str(asked.over(kept).over(preset).dice)

    language = equipment.configuration.language
    storage = open_when_possible(args, shell.stack, shell.threads, shell.heartbeat, try_to_open, language)
    try:
        effective = effective_settings(asked, storage, preset, game)
        equipment = replace(equipment, configuration=configured(equipment.configuration, effective.settings))
        effective = replace(effective, said=(*said, *effective.said))
        opening = TableOpening(shell, effective, storage, equipment)
        sessions.append(opening.resume())
        opening.start(sessions[0])
    except BoardsideError as error:
        remedy = revert_failed_settings(storage.settings, asked, error)
        if remedy is None:
            raise
        raise SettingsRevertedError(remedy) from error
    storage.settings.confirm()
    return opening.camera.name
