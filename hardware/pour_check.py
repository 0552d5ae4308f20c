# SPDX-License-Identifier: MIT
"""Prints the pours in a .kicad_pcb file that have an outdated fill, one per line.

Runs in KiCad's own Python interpreter: `python3 -m hardware.pour_check FILE`.
"""

import sys

import pcbnew

LEAST = 0.01  # mm2 of difference that count


def main(file: str) -> None:
    """Fill all pours again, and print those whose fill has changed."""
    board = pcbnew.LoadBoard(file)
    places = [(zone, layer) for zone in board.Zones() for layer in zone.GetLayerSet().Seq()]
    before = [pcbnew.SHAPE_POLY_SET(zone.GetFilledPolysList(layer)) for zone, layer in places]
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    for (zone, layer), filled in zip(places, before):
        filled.BooleanXor(zone.GetFilledPolysList(layer))
        area = filled.Area() / 1e12
        if area > LEAST:
            words = zone.GetNetname(), board.GetLayerName(layer), area
            print("%s on %s: %.2f mm2 are filled otherwise" % words)


if __name__ == "__main__":
    main(sys.argv[1])
