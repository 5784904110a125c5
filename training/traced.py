"""Renders rows of checkers with a path tracer: `python -m training.traced FOLDER BOARDS SEED` (needs bpy).

Each board gets a folder: `start.jpg` shows the starting position, and `N.jpg` rows on most points, many with second
layers, checkers on the bar, and dice; `board.json` has the corners of the playing area, and a `Look` for each later
picture. `training.traced_stacks` and `training.traced_slots` make samples of them. Lengths are in columns, as in
`training.drawing`.
"""

from __future__ import annotations

import json
import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
import cv2
import mathutils
import numpy as np
from bpy_extras.object_utils import world_to_camera_view

from training.makes import AROUND, any_colour
from training.points import START
from training.sensor import Sensor
from training.solids import PROFILES, box, checker, material, mesh
from training.traced_looks import Look, any_board, random_rows

if TYPE_CHECKING:
    from numpy.random import Generator

    from training.makes import BoardMake
    from training.points import Board
    from vision.arrays import Singles


SIZE, SAMPLES = (1024, 768), 4
"""The pictures' width and height, and light paths per pixel before denoising."""
LATER = 3
"""Later pictures of each board."""
_RELIT_SHARE = 0.35
"""Share of later pictures for which the lamps were moved and turned up or down."""


class TracedBoard:
    """A board of a random make, with lamps and a camera."""

    def __init__(self, chance: Generator) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.chance, self.scene = chance, bpy.context.scene
        self.board: Board = any_board(chance)
        make = self.board.make
        self._renderer()
        self._bed(make)
        kind = str(chance.choice(list(PROFILES)))
        rough, grain = chance.uniform(0.1, 0.6), max(0.0, chance.uniform(-0.3, 0.3))
        made = [material(f"men{side}", make.men[side].albedo, rough, grain, chance) for side in (0, 1)]
        self._men = [checker(f"man{side}", make, kind, made[side]) for side in (0, 1)]
        self._objects: list[Any] = []
        for man in self._men:
            man.hide_render = True
        self._lamps()
        self._camera()

    def _renderer(self) -> None:
        self.scene.render.engine = "CYCLES"
        cycles = self.scene.cycles
        cycles.samples, cycles.use_denoising, cycles.max_bounces = SAMPLES, True, 4
        cycles.denoiser = "OPENIMAGEDENOISE"
        self.scene.render.use_persistent_data = True
        self.scene.render.resolution_x, self.scene.render.resolution_y = SIZE
        self.scene.render.image_settings.file_format = "PNG"
        self.scene.render.image_settings.color_depth = "16"
        self.scene.view_settings.view_transform = "Raw"

    def _bed(self, make: BoardMake) -> None:
        """The bed and the table near it from the drawn one, a larger table, the frame and the bar."""
        chance, (width, depth) = self.chance, make.extent
        painted = np.clip(cv2.resize(make.bed, None, fx=3, fy=3, interpolation=cv2.INTER_LINEAR), 0, 1)
        down, across = painted.shape[:2]
        drawn = bpy.data.images.new("bed", across, down, float_buffer=True)
        drawn.colorspace_settings.name = "Non-Color"
        drawn.pixels.foreach_set(np.dstack([painted[..., ::-1], np.ones((down, across))]).astype(np.float32).ravel())
        bed = material("bed", np.ones(3, np.float32), chance.uniform(0.4, 0.95), 0.0, chance)
        texture = bed.node_tree.nodes.new("ShaderNodeTexImage")
        texture.image, texture.extension = drawn, "EXTEND"
        bed.node_tree.links.new(texture.outputs["Color"], bed.node_tree.nodes["Principled BSDF"].inputs["Base Color"])
        left, low, right, high = -AROUND, -AROUND, width + AROUND, depth + AROUND
        plane = mesh("bed", [(left, low, 0), (right, low, 0), (right, high, 0), (left, high, 0)], [(0, 1, 2, 3)], bed)
        layer = plane.data.uv_layers.new()
        for loop, place in enumerate([(0, 0), (1, 0), (1, 1), (0, 1)]):
            layer.data[loop].uv = place
        table = material(
            "table", any_colour(chance), chance.uniform(0.2, 0.9), max(0.0, chance.uniform(-0.3, 0.5)), chance
        )
        far = 60.0
        mesh(
            "table",
            [(-far, -far, -0.01), (far, -far, -0.01), (far, far, -0.01), (-far, far, -0.01)],
            [(0, 1, 2, 3)],
            table,
        )
        frame = material(
            "frame", any_colour(chance), chance.uniform(0.2, 0.8), max(0.0, chance.uniform(-0.3, 0.5)), chance
        )
        wall, wall_height = chance.uniform(0.2, 0.7), chance.uniform(0.05, 0.65)
        box("left", (-wall, 0, 0), (0, depth, wall_height), frame)
        box("right", (width, 0, 0), (width + wall, depth, wall_height), frame)
        box("near", (-wall, -wall, 0), (width + wall, 0, wall_height), frame)
        box("far", (-wall, depth, 0), (width + wall, depth + wall, wall_height), frame)
        self._bar_top = 0.0
        if self.board.bar > 0.5 and chance.random() < 0.8:
            self._bar_top = wall_height * chance.uniform(0.2, 1)
            box("bar", (6, 0, 0), (6 + self.board.bar, depth, self._bar_top), frame)

    def _lamps(self) -> None:
        chance, middle = self.chance, mathutils.Vector((*(self.board.make.extent / 2), 0.0))
        world = bpy.data.worlds.new("room")
        self.scene.world = world
        world.use_nodes = True
        sky = world.node_tree.nodes["Background"]
        sky.inputs[0].default_value = (*np.exp(chance.normal(0, 0.1, 3)), 1.0)
        sky.inputs[1].default_value = chance.uniform(0.03, 0.6)
        for number in range(int(chance.integers(1, 3))):
            light = bpy.data.lights.new(f"lamp{number}", "AREA")
            turn, up, far = chance.uniform(0, 2 * np.pi), chance.uniform(0.35, 1.5), chance.uniform(18, 45)
            towards = (math.cos(turn) * math.cos(up), math.sin(turn) * math.cos(up), math.sin(up))
            light.size = float(np.exp(chance.uniform(np.log(2), np.log(25))))
            light.energy = chance.uniform(6, 22) * far**2
            light.color = np.exp(chance.normal(0, 0.12, 3)) * (1.0, 0.95, 0.88)
            lamp = bpy.data.objects.new(f"lamp{number}", light)
            lamp.location = middle + far * mathutils.Vector(towards)
            lamp.rotation_euler = (middle - lamp.location).to_track_quat("-Z", "Y").to_euler()
            bpy.context.collection.objects.link(lamp)

    def _camera(self) -> None:
        """A camera from which the whole board is in view."""
        chance, (width, depth) = self.chance, self.board.make.extent
        data = bpy.data.cameras.new("camera")
        data.angle = math.radians(chance.uniform(45, 68))
        camera = bpy.data.objects.new("camera", data)
        bpy.context.collection.objects.link(camera)
        self.scene.camera = camera
        tilt = math.radians(chance.uniform(0, 12) if chance.random() < 0.25 else chance.uniform(12, 46))
        turn = math.radians(chance.choice([0.0, 0.0, 0.0, 90.0, -90.0, 180.0]) + chance.normal(0, 18))
        aim = mathutils.Vector((width / 2 + chance.normal(0, 0.3), depth / 2 + chance.normal(0, 0.3), 0.0))
        roll = mathutils.Quaternion((0, 0, 1), math.radians(chance.normal(0, 4)))
        far = 11.0
        while True:
            camera.location = aim + far * mathutils.Vector(
                (math.sin(tilt) * math.sin(turn), -math.sin(tilt) * math.cos(turn), math.cos(tilt))
            )
            camera.rotation_euler = ((aim - camera.location).to_track_quat("-Z", "Y") @ roll).to_euler()
            bpy.context.view_layer.update()
            edge = np.array(self.corners()) / SIZE
            if edge.min() > 0.04 and edge.max() < 0.96:
                return
            far *= 1.06

    def corners(self) -> list[tuple[float, float]]:
        """Pixels of the playing area's corners: bottom-left, bottom-right, top-right, top-left."""
        width, depth = self.board.make.extent
        return [self._pixel(x, y, 0) for x, y in ((0, 0), (width, 0), (width, depth), (0, depth))]

    def _pixel(self, x: float, y: float, high: float) -> tuple[float, float]:
        seen = world_to_camera_view(self.scene, self.scene.camera, mathutils.Vector((x, y, high)))
        return round(seen.x * SIZE[0], 2), round((1 - seen.y) * SIZE[1], 2)

    def _add_checker(self, side: int, x: float, y: float, high: float) -> tuple[float, float]:
        """Add a checker with its foot at (x, y, high); returns the pixel (x, y) of its top."""
        man = self._men[side].copy()
        man.hide_render = False
        man.location = (x, y, high)
        man.rotation_euler = (0, 0, self.chance.uniform(0, 2 * np.pi))
        bpy.context.collection.objects.link(man)
        self._objects.append(man)
        return self._pixel(x, y, high + self.board.make.thickness)

    def lay(self, rows: dict[int, tuple[int, list[int]]], careless: float) -> Look:
        """Lay rows (owner and heights by point) in place of the earlier ones; careless: scatter (SD, diameters)."""
        for man in self._objects:
            bpy.data.objects.remove(man)
        self._objects = []
        look = Look(rows)
        chance, make = self.chance, self.board.make
        loose = float(chance.choice([0.02, 0.05, 0.1])) * 2 * make.radius
        for point, (side, heights) in rows.items():
            away = chance.uniform(0, 0.06)
            for index, high in enumerate(heights):
                x, y = self.board.slot(point, away)
                x, y = (x, y) + chance.normal(0, careless, 2) * (1.0, 0.4) * 2 * make.radius
                seen = []
                for layer in range(high):
                    off = chance.normal(0, loose, 2) if layer else (0.0, 0.0)
                    seen.append(self._add_checker(side, x + off[0], y + off[1], layer * make.thickness))
                look.places.append((point, index, side, high, *seen[0], *seen[-1]))
                away += 1 + chance.uniform(0, self.board.gaps) * 0.5
        return look

    def add_others(self, look: Look) -> None:
        """Add checkers on the bar and dice."""
        chance, make = self.chance, self.board.make
        width, depth = make.extent
        if self.board.bar > 0.5 and chance.random() < 0.6:
            middle, before = 6 + self.board.bar / 2, -np.inf
            for y in np.sort(chance.uniform(0.15, 0.85, int(chance.integers(1, 4)))) * depth:
                if y - before > 2 * make.radius:
                    side = int(chance.integers(2))
                    look.bar.append((side, *self._add_checker(side, middle + chance.normal(0, 0.05), y, self._bar_top)))
                    before = y
        for _ in range(int(chance.choice([0, 0, 2, 2, 3]))):
            size = chance.uniform(0.35, 0.75)
            colour = make.dice if chance.random() < 0.7 else np.float32(chance.uniform(0.05, 0.95, 3))
            for _ in range(60):
                place = chance.uniform((0.5, 0.5), (width - 0.5, depth - 0.5))
                away = [np.hypot(*(place - man.location[:2])) for man in self._objects]
                if min(away, default=np.inf) > make.radius + 0.72 * size:
                    half = size / 2
                    die = box("die", (-half, -half, 0), (half, half, size), material("die", colour, 0.4, 0, chance))
                    die.location, die.rotation_euler = (*place, 0), (0, 0, chance.uniform(0, np.pi / 2))
                    self._objects.append(die)
                    look.dice.append(self._pixel(*place, size))
                    break

    def relight(self) -> None:
        """Move the lamps, and turn them up or down."""
        for one in bpy.context.collection.objects:
            if one.type == "LIGHT":
                one.data.energy *= float(np.exp(self.chance.normal(0, 0.25)))
                one.location += mathutils.Vector(self.chance.normal(0, 2, 3))

    def light(self, folder: Path) -> Singles:
        """Render the scene in linear light (height x width x 3, B, G, R)."""
        path = folder / "light.png"
        self.scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        seen = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)[..., :3].astype(np.float32) / 65535
        path.unlink()
        return np.ascontiguousarray(seen)


def trace(folder: Path, chance: Generator) -> None:
    """Render a board and write its folder."""
    folder.mkdir(parents=True)
    traced = TracedBoard(chance)
    careless = float(chance.choice([0.02, 0.05, 0.09]))
    traced.lay({p: (0, [1] * w) if w else (1, [1] * b) for p, (w, b) in START.items()}, careless)
    light = traced.light(folder)
    sensor = Sensor.random(chance)
    sensor.haze, sensor.noise = sensor.haze / 2, min(sensor.noise, 7.0)
    sensor.gamma = chance.uniform(0.4, 0.55)
    sensor.exposure = chance.uniform(0.3, 0.95) / max(0.02, float(np.percentile(light.max(axis=2), 80)))
    cv2.imwrite(str(folder / "start.jpg"), sensor.picture(light), [cv2.IMWRITE_JPEG_QUALITY, 95])
    description: dict[str, Any] = {"corners": traced.corners(), "looks": []}
    for number in range(LATER):
        look = traced.lay(random_rows(chance), careless)
        traced.add_others(look)
        if chance.random() < _RELIT_SHARE:
            traced.relight()
        later = sensor.later(chance, 0.8 if chance.random() < 0.4 else 0.05)
        seen = later.picture(traced.light(folder))
        cv2.imwrite(str(folder / f"{number}.jpg"), seen, [cv2.IMWRITE_JPEG_QUALITY, 95])
        description["looks"].append(asdict(look))
    (folder / "board.json").write_text(json.dumps(description))


def main() -> None:
    """Render the boards of a seed that are not there yet."""
    out, boards, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for number in range(boards):
        folder = out / f"{seed}-{number}"
        if not folder.exists():
            trace(folder, np.random.default_rng([seed, number]))


if __name__ == "__main__":
    main()
