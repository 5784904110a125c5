"""Script run by GNU Backgammon's Python (`gnubg -t -q -r -p FILE`): evaluates boards from one pipe into another.

The environment names both pipes' numbers. In: two 32-bit integers, the number of boards and the plies; then 50 bytes a
board, the opponent's 25 counts and those of the player on roll, own 1 point first and the bar last. Out: five 32-bit
floats a board: win, gammon, backgammon, lose gammon, lose backgammon of the player on roll, without a cube. With CUBE
added to the plies: the equities of the best cube decision, no double, a double that is taken, one that is passed, in a
money game with a centred cube, without Jacoby rule and beavers, and the number of gnubg's recommendation.
"""

import os
import struct

import gnubg  # type: ignore[import-not-found]  # only inside gnubg

NO_CUBE = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)
CENTRED = {**NO_CUBE, "jacoby": 0, "beavers": 0}
CUBE = 100
with open(int(os.environ["BOARDS_IN"]), "rb") as boards, open(int(os.environ["CHANCES_OUT"]), "wb") as chances:  # noqa: PTH123
    while head := boards.read(8):
        count, plies = struct.unpack("=ii", head)
        context = gnubg.evalcontext(int(plies >= CUBE), plies % CUBE, 1, 1, 0.0)
        evaluate, cube = (gnubg.cfevaluate, CENTRED) if plies >= CUBE else (gnubg.evaluate, NO_CUBE)
        data = boards.read(50 * count)
        out = []
        for k in range(0, 50 * count, 50):
            out += evaluate((tuple(data[k : k + 25]), tuple(data[k + 25 : k + 50])), cube, context)[:5]
        chances.write(struct.pack(f"={len(out)}f", *out))
        chances.flush()
