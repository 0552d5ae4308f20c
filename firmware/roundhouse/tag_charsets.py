# SPDX-License-Identifier: MIT
"""Decodes tag texts in UTF-16 or of the media type text/plain. Loaded only for such texts."""


def media_text(kind: bytes | bytearray, payload: bytes | bytearray) -> bytes | None:
    """Return a media-type record's text in UTF-8; None if it is malformed or its type is not
    text/plain.

    kind: the type as bytes, like `text/plain; charset=utf-16le`. Charsets other than UTF-16 are
    taken as ASCII.
    """
    name, _, parameters = bytes(kind).lower().partition(b";")
    if name.strip() != b"text/plain":
        return None
    charset = parameters.partition(b"charset=")[2].lstrip(b'"')
    if not charset.startswith(b"utf-16") and payload[:2] not in (b"\xfe\xff", b"\xff\xfe"):
        return bytes(payload)
    return utf16(payload, charset.startswith(b"utf-16le"))


def utf16(text: bytes | bytearray, little: bool = False) -> bytes | None:
    """Return a text in UTF-16 as UTF-8, or None if it is malformed.

    Without a byte order mark, the high byte is first (RFC 2781, 4.3), or the low byte if `little`
    is true.
    """
    if len(text) & 1:
        return None
    begin = 2
    if text[:2] == b"\xfe\xff":
        little = False
    elif text[:2] == b"\xff\xfe":
        little = True
    else:
        begin = 0
    said, high = "", 0
    for k in range(begin, len(text), 2):
        unit = text[k + 1] << 8 | text[k] if little else text[k] << 8 | text[k + 1]
        kind = unit >> 10  # 0x36: the first half of a surrogate pair; 0x37: the second
        if (kind == 0x37) != (high != 0):
            return None
        if kind == 0x36:
            high = unit
            continue
        if high:
            unit = 0x10000 + ((high & 0x3FF) << 10 | unit & 0x3FF)
            high = 0
        said += chr(unit)
    return None if high else said.encode()
