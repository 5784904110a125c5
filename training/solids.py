"""Things of which path-traced scenes are made: materials, boxes, checkers (needs bpy)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator

    from training.makes import BoardMake
    from vision.arrays import Singles


PROFILES = {
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


def box(name: str, low: tuple[float, ...], high: tuple[float, ...], of: Any) -> Any:
    """A box between two corners, its edges a little rounded."""
    ends = list(zip(low, high, strict=True))
    points = [(x, y, z) for z in ends[2] for y in ends[1] for x in ends[0]]
    faces = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    made = mesh(name, points, faces, of)
    rounded = made.modifiers.new("rounded", "BEVEL")
    rounded.width, rounded.segments = 0.08, 3
    return made


def checker(name: str, make: BoardMake, kind: str, of: Any) -> Any:
    """A checker whose foot is at the origin."""
    profile = [(0.94, 0.0), *PROFILES[kind]]
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
