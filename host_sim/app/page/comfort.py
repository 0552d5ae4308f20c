# SPDX-License-Identifier: MIT
"""What makes the page comfortable for one person: choices that a browser keeps."""

from collections.abc import Mapping

# {name: values}; the first value is the usual one
CHOICES: Mapping[str, tuple[str, ...]] = {
    "text": ("100", "125", "150", "200"),  # percent
    "tiles": ("100", "125", "150"),  # percent, of the tiles in the hand
    "hand": ("right", "left"),  # that presses the buttons
    "motion": ("system", "still"),
    "letters": ("on", "off"),  # whether letters, digits and signs are keys
}


def from_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """Return {name: value} of all choices, as far as `fields` has values that can be chosen."""
    return {
        name: fields[name] if fields.get(name) in values else values[0]
        for name, values in CHOICES.items()
    }
