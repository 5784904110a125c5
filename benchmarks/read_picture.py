"""How long reading a picture takes against decoding it: `python benchmarks/read_picture.py [FOLDER]`.

The board is known, one thread, decoding not counted; decoding and reading alternate within one run, so that both see
the same machine. The ratio is what compares between machines; the target is 1.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
from labelled import PICTURES, scenes

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelled import Scene

ROUNDS = 9


def took_ms(work: Callable[[], object]) -> float:
    """One run of the work, in milliseconds."""
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def measure(scene: Scene) -> tuple[float, float]:
    """Medians of decoding and of reading a picture of the scene, in milliseconds."""
    coded = [np.frombuffer(frame.file.read_bytes(), np.uint8) for frame in scene.frames if not frame.hand]
    pictures = [frame.picture for frame in scene.frames if not frame.hand]
    for picture in pictures:
        scene.eye.look(picture)  # what is worked out once for a board and its light
    decoding, reading = [], []
    for _ in range(ROUNDS):
        for jpeg, picture in zip(coded, pictures, strict=True):
            decoding.append(took_ms(lambda jpeg=jpeg: cv2.imdecode(jpeg, cv2.IMREAD_COLOR)))
            reading.append(took_ms(lambda picture=picture: scene.eye.look(picture)))
    return statistics.median(decoding), statistics.median(reading)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=PICTURES, help="a folder of scenes")
    cv2.setNumThreads(1)
    print(f"{'board':20}{'decode ms':>11}{'read ms':>9}{'ratio':>8}")
    for scene in scenes(parser.parse_args().folder):
        decode_ms, read_ms = measure(scene)
        print(f"{scene.name:20}{decode_ms:11.2f}{read_ms:9.2f}{read_ms / decode_ms:8.2f}", flush=True)


if __name__ == "__main__":
    main()
