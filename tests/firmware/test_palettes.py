# SPDX-License-Identifier: MIT
"""The colours of the palettes as people with colour blindness see them.

colorspacious simulates colour blindness (Machado, Oliveira and Fernandes 2009, at full severity).
Differences are in CAM02-UCS; a difference of about 1 is just visible.
"""

import itertools

import numpy
import pytest
from colorspacious import cspace_convert

from roundhouse.palettes import PALETTES

KINDS = (None, "protanomaly", "deuteranomaly", "tritanomaly")
APART = 20  # at least: far more than two lamps beside each other need
TOLD = [*itertools.combinations(("turn", "engine", "double", "winner", "progress"), 2)]
OPPOSITES = (
    *(("accepted", "refused"), ("open", "closed"), ("open", "double")),
    *(("accepted", "progress"), ("hint", "refused")),
)


def seen(rgb, kind):
    """Return how a colour looks with a kind of colour blindness, as three numbers of CAM02-UCS."""
    light = numpy.array(rgb) / 255
    if kind:
        space = {"name": "sRGB1+CVD", "cvd_type": kind, "severity": 100}
        light = numpy.clip(cspace_convert(light, space, "sRGB1"), 0, 1)
    return cspace_convert(light, "sRGB1", "CAM02-UCS")


def nearest(palette, kind, pairs=TOLD):
    """Return (difference, colour, colour) for the pair that is hardest to tell apart."""
    return min(
        (float(numpy.linalg.norm(seen(palette[a], kind) - seen(palette[b], kind))), a, b)
        for a, b in pairs
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_clear_palette_is_told_by_every_common_kind_of_eye(kind):
    assert nearest(PALETTES["clear"], kind)[0] >= APART
    assert nearest(PALETTES["clear"], kind, OPPOSITES)[0] >= 2 * APART


def test_the_standard_palette_would_not_pass():
    assert min(nearest(PALETTES["standard"], kind)[0] for kind in KINDS) < APART / 2
