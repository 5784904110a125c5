"""Script run by GNU Backgammon's Python (`gnubg -t -q -r -p FILE`) to evaluate positions from stdin.

In: one JSON line {"boards": [[opponent, on_roll], …], "plies": n}; each side is 25 counts, its own 1 point first and
the bar last. Out, a line per board as soon as it is evaluated: MARK and [win, gammon, backgammon, lose gammon, lose
backgammon] of the player on roll, without a cube, in money play. Ends at the end of its input. Other output of gnubg
has no MARK.
"""

import json
import sys

import gnubg  # type: ignore[import-not-found]  # only inside gnubg

MARK = "@boardside "
NO_CUBE = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)

for line in sys.stdin:
    asked = json.loads(line)
    # cubeful 0, plies, deterministic 1, prune 1, noise 0
    context = gnubg.evalcontext(0, asked["plies"], 1, 1, 0.0)
    for board in asked["boards"]:
        print(MARK + json.dumps(gnubg.evaluate(tuple(map(tuple, board)), NO_CUBE, context)[:5]))
        sys.stdout.flush()
