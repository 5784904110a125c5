"""The labelled pictures, each board learned once for all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from labelled import QUICK_BOARDS, Scene, scenes
from places import PICTURES
from sweeps import sampled

if TYPE_CHECKING:
    from labelled import Labelled

SCENES = scenes(PICTURES)
QUICK = [scene for scene in SCENES if scene.name in QUICK_BOARDS]


@pytest.fixture(scope="session", params=sampled(SCENES, QUICK), ids=[scene.name for scene in SCENES])
def scene(request: pytest.FixtureRequest) -> Scene:
    """Each of the boards in turn."""
    found: Scene = request.param
    return found


@pytest.fixture(scope="session")
def oblique() -> Scene:
    """A board seen from White's side; its last picture has a hand over it."""
    return next(scene for scene in SCENES if scene.name == "09-leather")


@pytest.fixture(scope="session")
def hand(oblique: Scene) -> Labelled:
    """The picture with a hand over the board."""
    return next(frame for frame in oblique.frames if frame.hand)
