"""Shapes of the weights of the networks that compare patches (see `vision.comparator.network`)."""

from __future__ import annotations

_FIRST, _SECOND, MAPS, _WIDE = 16, 32, 32, 48
"""Channels of the layers; `MAPS` of an encoded patch."""


def shapes(patch_px: int, channels: int, compared: int, outputs: int, dense: int = 48) -> dict[str, tuple[int, ...]]:
    """Shapes by layer; each layer also has a bias of its last dimension.

    Args:
        patch_px: width and height of a patch.
        channels: of a patch.
        compared: channels of the maps that are concatenated.
        outputs: of the network.
        dense: width of the last layer but one.
    """
    across = (patch_px // 4 + 1) // 2
    return {
        "first": (4, 4, channels, _FIRST),
        "second": (4, 4, _FIRST, _SECOND),
        "third": (3, 3, _SECOND, MAPS),
        "compare": (compared, _WIDE),
        "around": (3, 3, _WIDE, _WIDE),
        "dense": (across**2 * _WIDE + 2 * _WIDE, dense),
        "last": (dense, outputs),
    }
