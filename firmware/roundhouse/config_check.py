# SPDX-License-Identifier: MIT
"""config.py, loaded and checked at power-up."""

LIGHTS = 28  # the strip's pin where config.py does not tell
FIRST = (12, 8, 4)  # the first light


def load(lamp):
    """Return (config, None), or (None, what is wrong with config.py); light the first pixel.

    lamp(pin, rgb) lights it.
    """
    try:
        import config
    except (Exception, SystemExit) as error:  # whatever a maker can write there
        lamp(LIGHTS, FIRST)
        from roundhouse import crash

        return None, crash.place(error) + "; correct it and reset"
    try:
        lamp(config.PINS.get("lights", LIGHTS), FIRST)
    except Exception:  # what is wrong with it is said below
        lamp(LIGHTS, FIRST)
    from roundhouse import settings

    try:
        settings.check(config)
    except settings.BadConfig as error:
        return None, str(error)
    return config, None
