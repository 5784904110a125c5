"""Finds faces of dice in the areas of a picture that hold foreign objects, each with its number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.dice.faces import VALUES, candidate_squares, find_pips, pattern_nats, pip_nats, sample_faces
from vision.dice.judging import NONE, face_colour, judge
from vision.geometry import warp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.arrays import Bools, Floats, Ints, Picture, Singles
    from vision.geometry import CameraPose


SMALLEST, LARGEST = 0.36, 0.95
"""Sides of dice over a checker's diameter: 9 mm with 25 mm checkers to 13 mm with 15 mm ones."""
_HEIGHT = 0.55
"""Height above the bed of the plane in which faces are searched, in checker diameters: the middle of that range. A face
at another height appears shifted and scaled, and still as a square."""
_CHECKER_PX = 48
"""Resolution of a patch, in pixels per checker diameter: about that of the pictures."""
_MARGIN = 0.35
"""Margin of a patch around a foreign area, in checker diameters."""
_BEHIND = 0.7
"""Additional margin away from the camera where it looks along the board, in checker diameters: of an ivory die on an
ivory bed only a shaded side may differ from the bed, and the upper face lies behind it."""
_SMOOTH = 0.8
"""Standard deviation of the blur of a patch, in pixels: half a pip of the smallest dice."""
_GAP_PX = 24
"""Gap around each patch on the common sheet, in pixels, so that no face extends over two patches."""
_MOST_SQUARES = 160
"""Number of squares kept for the second test, by edges: those with the likeliest pips."""
_NUMBERS = 6
_FIRST_TURN = np.searchsorted(VALUES, np.arange(1, _NUMBERS + 1))
"""Index into `PATTERNS` for each number; its other turn, if it has one, is the next."""
_MOST = 4
"""Largest number of faces in one area: with more than two no roll is read."""
_LEAST_NATS = 12.0
"""Least log-likelihood ratio of a face to something of one colour, in nats, before refinement."""
_HOPEFUL_NATS = 15.0
"""Squares of a number whose pips are this many nats less likely than those of another are not judged: of 122 certain
faces none was more than 2 behind. Where a single pip is among the likely ones all are: they differ in size."""
_SAME, _APART = 0.4, 0.75
"""Distances of centres, in sides: nearer squares than `_SAME` are one face; two dice are farther than `_APART`."""
_LOOKS = 8
"""Mirrored and turned images of which a face is judged."""
_SIZES_OF_ONE = np.array([0.75, 0.87, 1.15, 1.33])
"""Further sizes, relative to the best one, at which the square around a single pip is judged: only the edges tell its
size."""
_OFF = 1.19
"""Factor by which sides of squares may be off: the network was trained to accept that."""
_AS_LIKELY = np.log(0.9)
"""Least log-probability of a number by the square that was fitted to it, from which that square is taken: it has the
place and size of the pips."""
_ROUNDS = 4
"""Rounds of the refinement."""
_STEPS = np.array([1.2, 1.2, 0.09, 0.06, 0.05], np.float32)
"""First steps of the refinement: x and y in pixels, angle in radians, side and pitch as shares; halved every second
round."""
_MOVES = np.array([(x, y, 0, 0) for x, y in ((0, 0), (0.06, 0), (-0.06, 0), (0, 0.06), (0, -0.06))])
_SIZES_AND_TURNS = np.array([(0, 0, 0.1, 0), (0, 0, 0.2, 0), (0, 0, 0, 0.12), (0, 0, 0, 0.3)])
_COARSE = np.array([(0, 0, size, turn) for size in (0, -0.2, 0.2, 0.4) for turn in np.pi / 8 * np.array([0, -1, 1, 2])])
_FINE = np.vstack([_MOVES, _SIZES_AND_TURNS, -_SIZES_AND_TURNS])
_BY_NETWORK = _COARSE, _FINE, _FINE / 2, _FINE / 2
"""Rounds of moves (x, y and size as shares of the side; angle in radians) by which the network refines a square."""
_ALIKE_STEP, _ALIKE_PLACES, _ALIKE_MOST = 0.25, 60, 2
"""Step in sides of the grid on which faces like a certain one are searched, the number of its places that are judged,
and the largest number of faces taken from them: all of a die with its sides in view are 40 places."""
_ALIKE_TURNS = np.pi / 8 * np.arange(4)
"""Angles at which they are judged, in radians."""
_OTHER_COLOUR = 60.0
"""Difference in grey levels from which a pixel counts as of another colour than the certain face, and no more: a pip,
or not the die."""
_PITCH = 0.22, 0.31
"""Range of the pitch of pips, in sides: that of dice on sale, slightly widened."""


@dataclass(frozen=True, slots=True)
class Face:
    """A square that may be the upper face of a die.

    Attributes:
        value: 1 to 6.
        x, y: middle in board units, in the plane `face_height`.
        side, turn: size in board units and angle in radians.
        nats: log-odds of a face with that number to none.
        margin_nats: log-odds of that number to the next likely one.
        flat_nats: log-odds of lying flat to leaning.
    """

    value: int
    x: float
    y: float
    side: float
    turn: float
    nats: float
    margin_nats: float
    flat_nats: float

    @classmethod
    def judged(cls, square: Floats, logs: Floats, flat: float) -> Face:
        """The likeliest number of a square (see `vision.dice.judging.judge`)."""
        value = 1 + int(logs[1:].argmax())
        others = np.delete(logs, [NONE, value])
        nats, margin = float(logs[value] - logs[NONE]), float(logs[value] - others.max())
        x, y, side, turn = (float(one) for one in square)
        return cls(value, x, y, side, turn, nats, margin, flat)

    @property
    def square(self) -> Floats:
        """Its place and size, as `judge` takes them."""
        return np.array([self.x, self.y, self.side, self.turn])


def face_height(checker: float) -> float:
    """Height of the plane in which faces are searched; both it and the `checker` diameter in board units."""
    return _HEIGHT * checker


def find_faces(
    picture: Picture,
    pose: CameraPose,
    checker: float,
    boxes: Sequence[Floats],
    height: float,
    *,
    at_corners: bool = False,
) -> list[Face]:
    """Find the faces of dice in some areas of a picture; `checker`: a checker's diameter in board units.

    `boxes`: 2 x 2 each, least and largest x and y of an area in board units, as seen in the plane `height`.
    `at_corners`: whether pips are looked for in both ways of `find_pips`, not in its first one alone.
    """
    patches = [_Patch.of(picture, pose, checker, box, height) for box in boxes]
    if not patches:
        return []
    tall = max(patch.pixels.shape[0] for patch in patches)
    sheet = np.hstack([_padded(patch.pixels, tall) for patch in patches])
    offsets = np.cumsum([_GAP_PX] + [patch.pixels.shape[1] + 2 * _GAP_PX for patch in patches])[:-1]
    shifts = [np.array([int(off), _GAP_PX, 0, 0, 0], np.float32) for off in offsets]
    squares = np.vstack(
        [
            _squares_in(patch.pixels, at_corners=way) + shift
            for way in ((False, True) if at_corners else (False,))
            for patch, shift in zip(patches, shifts, strict=True)
        ]
    )
    found = _faces_on(np.asarray(sheet, np.float32), squares, _MOST * len(patches))
    if not found:
        return []
    places = []
    for one, _ in found:
        which = int(np.searchsorted(offsets - _GAP_PX, float(one[0, 0]), "right")) - 1
        places.append(patches[which].on_board(one - shifts[which]))
    hopeful = np.array([nats >= nats.max() - _HOPEFUL_NATS for _, nats in found])
    hopeful = np.pad(hopeful, ((0, 0), (0, len(_SIZES_OF_ONE)))) | hopeful[:, :1]
    return _judged(picture, pose, checker, np.array(places), hopeful)


def _judged(picture: Picture, pose: CameraPose, checker: float, places: Floats, hopeful: Bools) -> list[Face]:
    """The best of the hopeful squares (groups x squares) of each group, judged thoroughly; no face twice.

    `places`: groups x squares x 4: x, y, side, turn.
    """
    height = face_height(checker)
    logs = np.full((*hopeful.shape, 1 + _NUMBERS), -np.inf)
    logs[hopeful] = judge(picture, pose, height, places[hopeful])[0]
    size = places[..., 2] / checker
    likely = np.where((size > SMALLEST / _OFF) & (size < LARGEST * _OFF), logs[..., 1:].max(axis=2), -np.inf)
    best, sized = likely.argmax(axis=1), np.isfinite(likely).any(axis=1)
    places, best = places[sized], best[sized]
    if not len(places):
        return []
    each = np.arange(len(places))
    own = logs[sized][each, best, 1:].argmax(axis=1)
    best = np.where(logs[sized][each, own, 1 + own] > _AS_LIKELY, own, best)
    return one_at_a_place(_faces_at(picture, pose, height, places[each, best]))


def refine_faces(picture: Picture, pose: CameraPose, checker: float, faces: Sequence[Face]) -> list[Face]:
    """The faces in turn, their squares moved to where the network finds a face likeliest; see `find_faces`.

    Squares are found by their pips, which tell the size only roughly. These are likelier than those found, also where
    there is no face: more nats must be asked of them. Several may end at one place.
    """
    height, squares = face_height(checker), np.array([face.square for face in faces])
    for moves in _BY_NETWORK:
        side = np.repeat(squares[:, 2:3], 4, axis=1)
        side[:, 3] = 1
        trial = squares[:, None] + moves * side[:, None]
        trial[..., 2] = trial[..., 2].clip(SMALLEST / _OFF * checker, LARGEST * _OFF * checker)
        logs, _ = judge(picture, pose, height, trial.reshape(-1, 4))
        nats = (logs[:, 1:].max(axis=1) - logs[:, NONE]).reshape(trial.shape[:2])
        squares = trial[np.arange(len(trial)), nats.argmax(axis=1)]
    return _faces_at(picture, pose, height, squares)


def find_alike(
    picture: Picture, pose: CameraPose, checker: float, boxes: Sequence[Floats], height: float, known: Face
) -> list[Face]:
    """The likeliest faces of the size and colour of a `known` one; see `find_faces`.

    Where pips meet a bright bed, or run into each other, no square is found by them. So the network judges all places
    there; only the likeliest by their colour, because that takes time.
    """
    plane, side = face_height(checker), known.side
    colour = face_colour(picture, pose, plane, known.square)
    spots = np.vstack([_Patch.of(picture, pose, checker, box, height).like(colour, side) for box in boxes])
    spots = spots[np.hypot(*(spots[:, :2] - [known.x, known.y]).T) > _APART * side]
    places = spots[np.argsort(spots[:, 2])[:_ALIKE_PLACES], :2]
    squares = np.array([(x, y, side, turn) for x, y in places for turn in _ALIKE_TURNS]).reshape(-1, 4)
    return one_at_a_place(_faces_at(picture, pose, plane, squares, looks=1))[:_ALIKE_MOST] if len(squares) else []


def _faces_at(picture: Picture, pose: CameraPose, height: float, squares: Floats, looks: int = _LOOKS) -> list[Face]:
    """The face of each square (n x 4), judged by so many images."""
    logs, flat = judge(picture, pose, height, squares, looks)
    return [Face.judged(*one) for one in zip(squares, logs, flat.tolist(), strict=True)]


def one_at_a_place(faces: Sequence[Face]) -> list[Face]:
    """The likeliest faces first, and none at the place of a likelier one."""
    kept: list[Face] = []
    for face in sorted(faces, key=lambda face: -face.nats):
        if all(np.hypot(face.x - one.x, face.y - one.y) > _APART * max(face.side, one.side) for one in kept):
            kept.append(face)
    return kept


@dataclass(frozen=True, slots=True)
class _Patch:
    """An area of a picture rectified in the plane `face_height`; `corner` (board units) is its upper left."""

    pixels: Picture
    corner: Floats
    scale: float

    @classmethod
    def of(cls, picture: Picture, pose: CameraPose, checker: float, box: Floats, height: float) -> _Patch:
        plane, eye = face_height(checker), pose.centre
        seen = eye[:2] + (eye[2] - plane) / (eye[2] - height) * (box - eye[:2])
        lean = (seen.mean(axis=0) - eye[:2]) / (eye[2] - plane)
        seen += np.array([np.minimum(lean, 0), np.maximum(lean, 0)]).clip(-1, 1) * _BEHIND * checker
        seen += np.array([[-_MARGIN], [_MARGIN]]) * checker
        scale = _CHECKER_PX / checker
        corner = np.array([seen[0, 0], seen[1, 1]])
        size = ((seen[1] - seen[0]) * scale).astype(int) + 1
        to_board = np.array([[1 / scale, 0, corner[0]], [0, -1 / scale, corner[1]], [0, 0, 1]])
        taken = warp(picture, pose.plane(plane) @ to_board, size.tolist())
        return cls(np.asarray(cv2.GaussianBlur(taken, (0, 0), _SMOOTH), np.uint8), corner, scale)

    def like(self, colour: Floats, side: float) -> Floats:
        """Places (n x 3: x, y in board units; mean difference in grey levels) of a grid, compared with a face's colour.

        `side`: of the face, in board units.
        """
        away = np.abs(self.pixels - colour).max(axis=2).clip(max=_OTHER_COLOUR)
        face, step = round(side * self.scale), max(1, round(_ALIKE_STEP * side * self.scale))
        mean = cv2.blur(away, (face, face), borderType=cv2.BORDER_REPLICATE)[step // 2 :: step, step // 2 :: step]
        down, across = (step // 2 + step * np.indices(mean.shape)) / self.scale
        return np.column_stack([self.corner[0] + across.ravel(), self.corner[1] - down.ravel(), mean.ravel()])

    def on_board(self, squares: Singles) -> Floats:
        """The squares of six numbers on this patch as n x 4: x, y and side in board units, and angle.

        There are some more of other sizes around a single pip.
        """
        x, y, turn, side, _ = squares.T
        x, y = self.corner[0] + x / self.scale, self.corner[1] - y / self.scale
        places = np.column_stack([x, y, side / self.scale, turn])
        alone = np.repeat(places[:1], len(_SIZES_OF_ONE), axis=0)
        alone[:, 2] *= _SIZES_OF_ONE
        return np.vstack([places, alone])


def squares_of_faces(seen: Picture) -> Singles:
    """Squares (n x 4: x, y, turn, side, in pixels and radians) that may be faces, in a picture of one patch."""
    patch = np.asarray(cv2.GaussianBlur(seen, (0, 0), _SMOOTH), np.uint8)
    found = _faces_on(np.asarray(patch, np.float32), _squares_in(patch), _MOST)
    return np.vstack([np.zeros((0, 4), np.float32), *(one[:, :4] for one, _ in found)])


def _padded(patch: Picture, tall: int) -> Picture:
    """A patch with its edge pixels repeated over the gap, so that its neighbours on the sheet have no effect."""
    down = tall - patch.shape[0] + _GAP_PX
    return np.asarray(cv2.copyMakeBorder(patch, _GAP_PX, down, _GAP_PX, _GAP_PX, cv2.BORDER_REPLICATE), np.uint8)


def _squares_in(patch: Picture, *, at_corners: bool = False) -> Singles:
    """Candidate squares (n x 5, see `sample_faces`) around the spots of a patch (see `find_pips`)."""
    smallest, largest = SMALLEST * _CHECKER_PX, LARGEST * _CHECKER_PX
    spots = find_pips(patch, smallest, largest, at_corners=at_corners)
    return np.vstack([candidate_squares(pips, smallest, largest) for pips in spots])


def _faces_on(pixels: Singles, squares: Singles, most: int) -> list[tuple[Singles, Singles]]:
    """At most `most` candidate faces on a sheet of patches: each the squares (6 x 5) and nats (6) of six numbers."""
    if not len(squares):
        return []
    samples = sample_faces(pixels, squares)
    plain = np.argsort(-pip_nats(samples))[:_MOST_SQUARES]
    squares = squares[plain]
    x, y, _, side, _ = squares.T
    of_value = _nats_of_numbers(pattern_nats(samples[plain]))
    best = of_value.max(axis=1)
    starts: list[Ints] = []
    while len(starts) < most and best.max() >= _LEAST_NATS:
        first = int(best.argmax())
        away = np.hypot(x - x[first], y - y[first])
        near = np.flatnonzero(away < _SAME * side[first])
        starts.append(near[of_value[near].argmax(axis=0)])
        best = np.where(away < _APART * np.maximum(side[first], side), -np.inf, best)
    if not starts:
        return []
    refined, nats = _refined(pixels, squares[np.concatenate(starts)])
    return [(refined[each], nats[each]) for each in np.arange(len(nats)).reshape(-1, _NUMBERS)]


def _nats_of_numbers(nats: Singles) -> Singles:
    """Nats (squares x 6) of each number in its better turn."""
    return np.maximum.reduceat(nats, _FIRST_TURN, axis=1)


def _refined(pixels: Singles, starts: Singles) -> tuple[Singles, Singles]:
    """Squares of the six numbers in turn, refined by a star search over place, angle, side and pitch; nats of each."""
    star = np.vstack([np.zeros(5, np.float32), np.diag(_STEPS), -np.diag(_STEPS)])
    here, each, number = starts, np.arange(len(starts)), np.arange(len(starts)) % _NUMBERS
    best = np.zeros(len(here), np.float32)
    for turn in range(_ROUNDS):
        step = star * 0.5 ** (turn // 2)
        trial = np.repeat(here[:, None], len(star), axis=1)
        trial[..., :3] += step[None, :, :3]
        trial[..., 3:] *= 1 + step[None, :, 3:]
        trial[..., 4] = trial[..., 4].clip(*_PITCH)
        samples = sample_faces(pixels, trial.reshape(-1, 5))
        nats = _nats_of_numbers(pattern_nats(samples)).reshape(len(here), len(star), _NUMBERS)
        own = nats[each, :, number]
        here, best = trial[each, own.argmax(axis=1)], own.max(axis=1)
    return here, best
