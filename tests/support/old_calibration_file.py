"""Files of learned boards as programs wrote them before a digest followed the archive."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path


def write_old_file(path: Path, saved: Path, without: tuple[str, ...] = (), **changes: object) -> Path:
    """Write the content of `saved` to `path` without its digest, changed.

    Args:
        path: the new file.
        saved: the file to copy.
        without: keys of the description, or arrays, to leave out.
        changes: values of keys of the description, or arrays, by name.
    """
    with np.load(saved) as file:
        arrays = dict(file)
    meta = json.loads(str(arrays.pop("meta")))
    del meta["sealed"]
    for name, value in changes.items():
        if name in meta:
            meta[name] = value
        else:
            arrays[name] = np.asarray(value)
    for name in without:
        del (meta if name in meta else arrays)[name]
    with path.open("wb") as copy:
        np.savez_compressed(copy, meta=np.array(json.dumps(meta)), **arrays)
    return path
