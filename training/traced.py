"""Renders rows of checkers with a path tracer: `python -m training.traced FOLDER BOARDS SEED` (needs bpy).

Each board gets a folder: `start.jpg` shows the starting position, and `N.jpg` a row on every point, of which many have
second layers; `board.json` has the corners of the playing area, and for each later picture the rows: the owner
(0 White, 1 Black), and the number of checkers at each place from the edge on. `training.traced_stacks` makes samples of
them. Lengths are in columns, as in `training.drawing`.
"""

from __future__ import annotations

import json
import math
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
import cv2
import mathutils
import numpy as np
from bpy_extras.object_utils import world_to_camera_view

from training.makes import AROUND, TEXEL, any_colour
from training.points import POINTS, ROW, START, random_board
from training.sensor import Sensor

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from training.makes import BoardMake
    from training.points import Board

    Singles = NDArray[np.float32]

SIZE, SAMPLES = (1024, 768), 4
"""The pictures' width and height, and light paths a pixel before the renderer removes noise."""
LATER = 3
"""Later pictures of each board."""
LEAST_APART = 0.13
"""Least difference of men from most of the board, in square roots of the albedo. Others are often not learned."""
_PROFILES = {
    "flat": [(1.0, 0.2), (1.0, 0.8), (0.9, 1.0)],
    "dome": [(1.0, 0.2), (1.0, 0.6), (0.92, 0.86), (0.75, 0.98), (0.4, 1.03)],
    "ring": [(1.0, 0.1), (1.0, 0.85), (0.93, 1.0), (0.78, 1.0), (0.72, 0.78)],
    "grooved": [(1.0, 0.15), (1.0, 0.85), (0.92, 1.0), (0.7, 1.0), (0.66, 0.85), (0.55, 0.85), (0.5, 1.0)],
    "bevelled": [(0.85, 0.0), (1.0, 0.45), (1.0, 0.55), (0.85, 1.0)],
}
"""Shapes of checkers from the foot's rim to the top's middle: shares of the radius and of the thickness."""


def material(name: str, colour: Singles, rough: float, grain: float, chance: Generator) -> Any:
    """A material of a colour (B, G, R, linear light), with a wooden or even surface."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    surface = nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = rough
    base = (*(float(v) for v in colour[::-1]), 1.0)
    surface.inputs["Base Color"].default_value = base
    if grain:
        places, stretch, noise, mix = (
            nodes.new(f"ShaderNode{kind}") for kind in ("TexCoord", "Mapping", "TexNoise", "MixRGB")
        )
        stretch.inputs["Scale"].default_value = (1, chance.uniform(1, 15), 1)
        noise.inputs["Scale"].default_value = chance.uniform(1, 6)
        mix.inputs["Color1"].default_value = base
        mix.inputs["Color2"].default_value = (*(v * (1 - grain) for v in base[:3]), 1.0)
        links.new(places.outputs["Object"], stretch.inputs["Vector"])
        links.new(stretch.outputs["Vector"], noise.inputs["Vector"])
        links.new(noise.outputs["Fac"], mix.inputs["Fac"])
        links.new(mix.outputs["Color"], surface.inputs["Base Color"])
    return made


def mesh(
    name: str, points: list[tuple[float, ...]], faces: list[tuple[int, ...]], of: Any, smooth: bool = False
) -> Any:
    """An object of flat faces, or of smooth ones."""
    data = bpy.data.meshes.new(name)
    data.from_pydata(points, [], faces)
    data.update()
    data.materials.append(of)
    for face in data.polygons:
        face.use_smooth = smooth
    made = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(made)
    return made


def box(name: str, low: tuple[float, ...], high: tuple[float, ...], of: Any) -> None:
    """A box between two corners, its edges a little rounded."""
    ends = list(zip(low, high, strict=True))
    points = [(x, y, z) for z in ends[2] for y in ends[1] for x in ends[0]]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    rounded = mesh(name, points, faces, of).modifiers.new("rounded", "BEVEL")
    rounded.width, rounded.segments = 0.08, 3


def checker(name: str, make: BoardMake, kind: str, of: Any) -> Any:
    """A checker whose foot is at the origin."""
    profile = [(0.94, 0.0), *_PROFILES[kind]]
    turns = 40
    points = [
        (radius * make.radius * math.cos(a), radius * make.radius * math.sin(a), height * make.thickness)
        for radius, height in profile
        for a in np.arange(turns) * 2 * np.pi / turns
    ]
    faces: list[tuple[int, ...]] = [
        (k * turns + n, k * turns + (n + 1) % turns, (k + 1) * turns + (n + 1) % turns, (k + 1) * turns + n)
        for k in range(len(profile) - 1)
        for n in range(turns)
    ]
    faces.append(tuple((len(profile) - 1) * turns + n for n in range(turns)))
    return mesh(name, points, faces, of, smooth=True)


def seen_well(board: Board) -> bool:
    """Whether the men of both sides differ from most of the board."""
    make = board.make
    bed = np.sqrt(make.bed[AROUND * TEXEL : -AROUND * TEXEL, AROUND * TEXEL : -AROUND * TEXEL].reshape(-1, 3))
    return all(np.percentile(np.abs(bed - np.sqrt(men.albedo)).max(axis=1), 30) > LEAST_APART for men in make.men)


class TracedBoard:
    """A board of a random make, with lamps and a camera."""

    def __init__(self, chance: Generator) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.chance, self.scene = chance, bpy.context.scene
        self.board: Board = next(board for board in iter(partial(random_board, chance), None) if seen_well(board))
        make = self.board.make
        self._renderer()
        self._bed(make)
        kind = str(chance.choice(list(_PROFILES)))
        rough, grain = chance.uniform(0.1, 0.6), max(0.0, chance.uniform(-0.3, 0.3))
        made = [material(f"men{side}", make.men[side].albedo, rough, grain, chance) for side in (0, 1)]
        self._men = [checker(f"man{side}", make, kind, made[side]) for side in (0, 1)]
        self._laid: list[Any] = []
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
        wall, tall = chance.uniform(0.2, 0.7), chance.uniform(0.05, 0.65)
        box("left", (-wall, 0, 0), (0, depth, tall), frame)
        box("right", (width, 0, 0), (width + wall, depth, tall), frame)
        box("near", (-wall, -wall, 0), (width + wall, 0, tall), frame)
        box("far", (-wall, depth, 0), (width + wall, depth + wall, tall), frame)
        if self.board.bar > 0.5 and chance.random() < 0.8:
            box("bar", (6, 0, 0), (6 + self.board.bar, depth, tall * chance.uniform(0.2, 1)), frame)

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

    def corners(self) -> list[list[float]]:
        """Pixels of the playing area's corners: bottom-left, bottom-right, top-right, top-left."""
        width, depth = self.board.make.extent
        seen = [
            world_to_camera_view(self.scene, self.scene.camera, mathutils.Vector((x, y, 0)))
            for x, y in ((0, 0), (width, 0), (width, depth), (0, depth))
        ]
        return [[round(one.x * SIZE[0], 2), round((1 - one.y) * SIZE[1], 2)] for one in seen]

    def lay(self, rows: dict[int, tuple[int, list[int]]], careless: float) -> None:
        """Lay rows: owner and heights by point; careless: standard deviation of places, in diameters."""
        for man in self._laid:
            bpy.data.objects.remove(man)
        self._laid = []
        chance, make = self.chance, self.board.make
        loose = float(chance.choice([0.02, 0.05, 0.1])) * 2 * make.radius
        for point, (side, heights) in rows.items():
            away = chance.uniform(0, 0.06)
            for high in heights:
                x, y = self.board.slot(point, away)
                x, y = (x, y) + chance.normal(0, careless, 2) * (1.0, 0.4) * 2 * make.radius
                for layer in range(high):
                    man = self._men[side].copy()
                    man.hide_render = False
                    off = chance.normal(0, loose, 2) if layer else (0.0, 0.0)
                    man.location = (x + off[0], y + off[1], layer * make.thickness)
                    man.rotation_euler = (0, 0, chance.uniform(0, 2 * np.pi))
                    bpy.context.collection.objects.link(man)
                    self._laid.append(man)
                away += 1 + chance.uniform(0, self.board.gaps) * 0.5

    def light(self, folder: Path) -> Singles:
        """The scene in linear light (B, G, R)."""
        path = folder / "light.png"
        self.scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        seen = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)[..., :3].astype(np.float32) / 65535
        path.unlink()
        return np.ascontiguousarray(seen)


def random_rows(chance: Generator) -> dict[int, tuple[int, list[int]]]:
    """A row on nearly every point: most are full, and half of those have a second layer from the edge on."""
    rows = {}
    for point in range(POINTS):
        if chance.random() < 0.1:
            continue
        count = ROW if chance.random() < 0.85 else int(chance.integers(1, ROW))
        more = int(chance.choice([0, 1, 1, 2, 3, 4, 5])) if count == ROW and chance.random() < 0.6 else 0
        rows[point] = int(chance.integers(2)), [2 if slot < more else 1 for slot in range(count)]
    return rows


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
    sensor.exposure = chance.uniform(0.3, 0.75) / max(0.02, float(np.percentile(light.max(axis=2), 80)))
    cv2.imwrite(str(folder / "start.jpg"), sensor.picture(light), [cv2.IMWRITE_JPEG_QUALITY, 95])
    told: dict[str, Any] = {"corners": traced.corners(), "looks": []}
    for number in range(LATER):
        rows = random_rows(chance)
        traced.lay(rows, careless)
        later = sensor.later(chance, 0.4 if chance.random() < 0.3 else 0.05)
        seen = later.picture(traced.light(folder))
        cv2.imwrite(str(folder / f"{number}.jpg"), seen, [cv2.IMWRITE_JPEG_QUALITY, 95])
        told["looks"].append({str(point): row for point, row in rows.items()})
    (folder / "board.json").write_text(json.dumps(told))


def main() -> None:
    """Render the boards of a seed that are not there yet."""
    out, boards, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for number in range(boards):
        folder = out / f"{seed}-{number}"
        if not folder.exists():
            trace(folder, np.random.default_rng([seed, number]))


if __name__ == "__main__":
    main()
