"""Files of learned boards with a valid digest and changed content."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import numpy as np

from vision.board.storage import digest_line

if TYPE_CHECKING:
    from pathlib import Path


def write_changed(path: Path, saved: Path, without: tuple[str, ...] = (), **changes: object) -> Path:
    """Write the content of `saved` to `path`, changed.

    Args:
        path: the new file.
        saved: the file to copy.
        without: keys of the description, or arrays, to leave out.
        changes: values of keys of the description (numbers may be new there), or arrays, by name.
    """
    with np.load(saved) as file:
        arrays = dict(file)
    meta = json.loads(str(arrays.pop("meta")))
    for name, value in changes.items():
        if name in meta or isinstance(value, float):
            meta[name] = value
        else:
            arrays[name] = np.asarray(value)
    for name in without:
        del (meta if name in meta else arrays)[name]
    archive = io.BytesIO()
    np.savez_compressed(archive, meta=np.array(json.dumps(meta)), **arrays)
    path.write_bytes(sealed(archive.getvalue()))
    return path


def sealed(archive: bytes) -> bytes:
    """An archive with its digest."""
    return archive + digest_line(archive)
