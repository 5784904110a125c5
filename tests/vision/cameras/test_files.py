"""Films from a disk, and the arguments that select a camera."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cameras import CameraLost, PictureError, load_picture, open_camera
from vision.cameras import opening as opening
from vision.cameras.files import FilmCamera, FolderCamera
from vision.cameras.opening import UnknownCameraError


def grey(value):
    return np.full((48, 64, 3), value, np.uint8)


@pytest.fixture
def folder(tmp_path):
    for k, value in enumerate((30, 90, 150)):
        cv2.imwrite(str(tmp_path / f"{k:04d}.png"), grey(value))
    (tmp_path / "notes.txt").write_text("no picture")
    return tmp_path


@pytest.fixture
def film(tmp_path):
    path = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for value in (30, 90, 150):
        writer.write(grey(value))
    writer.release()
    return path


def played(camera):
    return list(iter(camera.read, None))


def test_a_folder_is_played_in_the_order_of_names(folder):
    frames = played(FolderCamera(folder))
    assert [int(frame.image.mean()) for frame in frames] == [30, 90, 150]
    assert [frame.number for frame in frames] == [1, 2, 3]


def test_frames_of_a_folder_are_evenly_spaced(folder):
    frames = played(FolderCamera(folder, interval_s=0.5))
    assert [frame.at_s for frame in frames] == [0.0, 0.5, 1.0]


def test_a_damaged_picture_in_a_folder_is_named(folder):
    whole = (folder / "0001.png").read_bytes()
    (folder / "0001.png").write_bytes(whole[:20])
    camera = FolderCamera(folder)
    camera.read()
    with pytest.raises(CameraLost, match=r"0001\.png is not a whole"):
        camera.read()


def test_a_removed_picture_is_named(folder):
    camera = FolderCamera(folder)
    (folder / "0000.png").unlink()
    with pytest.raises(CameraLost, match=r"0000\.png cannot be read"):
        camera.read()


def test_a_folder_without_pictures_is_refused_with_what_was_expected(tmp_path):
    with pytest.raises(CameraLost, match=r"holds no picture: expected files ending in .*\.jpg"):
        FolderCamera(tmp_path)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(CameraLost, match=r"there is no folder .*nowhere"):
        FolderCamera(tmp_path / "nowhere")


def test_a_film_keeps_its_own_times(film):
    frames = played(FilmCamera(film))
    assert [round(float(frame.image.mean()), -1) for frame in frames] == [30, 90, 150]
    assert [frame.at_s for frame in frames] == pytest.approx([0.0, 0.1, 0.2])


def test_a_file_that_is_not_a_film_is_named(folder):
    with pytest.raises(CameraLost, match=r"notes\.txt"):
        played(FilmCamera(folder / "notes.txt"))


def test_a_missing_film_is_named(tmp_path):
    with pytest.raises(CameraLost, match=r"there is no film .*gone\.mp4"):
        FilmCamera(tmp_path / "gone.mp4")


def test_an_empty_file_is_refused(tmp_path):
    (tmp_path / "empty.jpg").touch()
    with pytest.raises(PictureError, match=r"empty\.jpg is not a whole"):
        load_picture(tmp_path / "empty.jpg")


SCANS = b"\xff\xda" * 101
"""Markers that begin scans of a JPEG, more than a picture may have."""


@pytest.mark.parametrize("suffix", [".bmp", ".png", ".webp"])
def test_only_a_jpeg_is_searched_for_scans(tmp_path, suffix):
    content = cv2.imencode(suffix, grey(90))[1].tobytes()
    (tmp_path / f"other{suffix}").write_bytes(content + SCANS)
    assert load_picture(tmp_path / f"other{suffix}").shape == (48, 64, 3)


def test_a_pale_blue_bitmap_is_loaded(tmp_path):
    sky = np.full((48, 64, 3), (255, 218, 200), np.uint8)
    cv2.imwrite(str(tmp_path / "sky.bmp"), sky)
    assert (load_picture(tmp_path / "sky.bmp") == sky).all()


def test_data_appended_by_a_phone_are_not_counted_as_scans(tmp_path):
    content = cv2.imencode(".jpg", grey(90))[1].tobytes()
    comment = b"\xff\xfe" + (2 + len(SCANS)).to_bytes(2) + SCANS
    (tmp_path / "phone.jpg").write_bytes(content[:2] + comment + content[2:] + SCANS)
    assert load_picture(tmp_path / "phone.jpg").shape == (48, 64, 3)


@pytest.mark.parametrize("fill", [b"", b"\xff\xff", b"\xff\x02\xff\xff"])
def test_a_jpeg_of_very_many_scans_is_refused(tmp_path, fill):
    content = cv2.imencode(".jpg", grey(90))[1].tobytes()
    start = content.index(b"\xff\xda")
    (tmp_path / "long.jpg").write_bytes(content[:start] + (fill + content[start:-2]) * 101 + content[-2:])
    with pytest.raises(PictureError, match=r"long\.jpg is not a whole"):
        load_picture(tmp_path / "long.jpg")


def test_an_argument_for_a_folder_or_a_film_opens_it(folder, film):
    assert len(played(open_camera(f"folder:{folder}", lambda: 0.0))) == 3
    assert len(played(open_camera(f"file:{film}", lambda: 0.0))) == 3


@pytest.mark.parametrize("spec", ["", "webcam", "usb:", "usb:one", "folder:", "file:"])
def test_unknown_arguments_are_refused_with_the_known_ones(spec):
    with pytest.raises(UnknownCameraError, match="expected auto, simulated, usb:N, csi"):
        open_camera(spec, lambda: 0.0)


def test_without_any_camera_auto_gives_none(monkeypatch, tmp_path):
    monkeypatch.setattr(opening, "VIDEO_DEVICES", tmp_path)
    assert open_camera("auto", lambda: 0.0) is None


def test_auto_skips_devices_that_are_not_cameras(monkeypatch, tmp_path):
    (tmp_path / "video98").touch()
    (tmp_path / "video99").touch()
    monkeypatch.setattr(opening, "VIDEO_DEVICES", tmp_path)
    assert open_camera("auto", lambda: 0.0) is None
