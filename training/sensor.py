"""Random cameras: from the light of a drawn scene to a JPEG picture with haze, blur and noise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator

    from vision.arrays import Picture, Singles


@dataclass
class Sensor:
    """A camera and its file: factors of exposure and (B, G, R) of white balance, gamma, JPEG quality, and faults.

    `haze`: share of light of `haze_colour`; `coarse`: factor of lost resolution; `blur`: standard deviation in pixels;
    `noise`: standard deviation in grey levels, over several pixels if `blotchy`.
    """

    exposure: float
    balance: Singles
    haze: float
    haze_colour: Singles
    gamma: float
    coarse: float
    blur: float
    noise: float
    blotchy: bool
    quality: int

    @classmethod
    def random(cls, chance: Generator) -> Sensor:
        """A random camera: half of them good, the others coarse, hazy, noisy or out of focus."""
        poor = chance.random() < 0.5
        haze = chance.uniform(0, 0.35) if poor and chance.random() < 0.6 else 0.0
        coarse = chance.uniform(1, 2.0) if poor and chance.random() < 0.6 else 1.0
        return cls(
            float(np.exp(chance.normal(0, 0.18))),
            np.exp(chance.normal(0, 0.07, 3)).astype(np.float32),
            haze,
            chance.uniform(0.4, 1, 3).astype(np.float32),
            chance.uniform(0.45, 1.3),
            coarse,
            chance.uniform(0, 1.3 if poor else 0.8),
            chance.uniform(3, 14) if poor and chance.random() < 0.4 else chance.uniform(0, 4),
            bool(chance.random() < 0.5),
            int(chance.uniform(45 if poor else 75, 98)),
        )

    def later(self, chance: Generator, much: float) -> Sensor:
        """The same camera some time later; `much`: size of the changes, 0 to 1."""
        return replace(
            self,
            exposure=self.exposure * 2 ** (chance.uniform(-1, 1) * much),
            balance=self.balance * np.exp(chance.normal(0, 0.1 * much, 3)).astype(np.float32),
            haze=float(np.clip(self.haze + chance.normal(0, 0.08) * much, 0, 0.4)),
            gamma=self.gamma * float(np.exp(chance.normal(0, 0.1) * much)),
            blur=max(0.0, self.blur + chance.normal(0, 0.3)),
            quality=int(np.clip(self.quality + chance.normal(0, 6), 40, 98)),
        )

    def picture(self, light: Singles) -> Picture:
        """The picture (uint8, BGR) of a scene in linear light (height x width x 3)."""
        seen = (
            light * np.float32(self.exposure * (1 - self.haze)) * self.balance
            + np.float32(self.haze) * self.haze_colour
        )
        seen = cv2.pow(np.clip(seen, 0, 1), self.gamma)
        height, width = seen.shape[:2]
        if self.coarse > 1.05:
            less = cv2.resize(seen, (int(width / self.coarse), int(height / self.coarse)), interpolation=cv2.INTER_AREA)
            seen = cv2.resize(less, (width, height), interpolation=cv2.INTER_LINEAR)
        if self.blur > 0.3:
            seen = cv2.GaussianBlur(seen, (0, 0), self.blur)
        noise = np.empty(seen.shape, np.float32)
        cv2.randn(noise, 0, self.noise)
        if self.blotchy:
            noise = 2 * cv2.GaussianBlur(noise, (0, 0), 0.8)
        taken = np.clip(seen * 255 + noise, 0, 255).astype(np.uint8)
        return cv2.imdecode(cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, self.quality])[1], cv2.IMREAD_COLOR)


def scaled(picture: Picture, bright: np.float32) -> Picture:
    """A picture, or patches, times the factor `bright`, clipped at 255."""
    return np.asarray(np.clip(picture * bright, 0, 255), np.uint8)
