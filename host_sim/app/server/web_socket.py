# SPDX-License-Identifier: MIT
"""A WebSocket that also takes a message in several frames (RFC 6455, 5.4), as Chromium sends one
of more than 64 KiB. Microdot's closes the connection then."""

from microdot import Request, Response
from microdot.websocket import WebSocket, WebSocketError


class FragmentedWebSocket(WebSocket):
    def _parse_frame_header(self, header: bytes) -> tuple[int, int, int, int]:
        """Note whether the frame is a message's last, and let a continuation count as binary."""
        self._is_last = bool(header[0] & 0x80)
        opcode = header[0] & 0x0F or self.BINARY
        parsed: tuple[int, int, int, int] = super()._parse_frame_header(  # type: ignore[misc]
            bytes((0x80 | opcode, header[1]))
        )
        return parsed

    async def receive(self) -> str | bytes:
        """Return the next message. Raises WebSocketError if the connection was closed or the
        message is too large."""
        message, kind = b"", 0
        while True:
            opcode, payload = await self._read_frame()  # type: ignore[attr-defined]
            if opcode >= self.CLOSE:  # a control frame may come between those of a message
                reply, data = self._process_websocket_frame(  # type: ignore[attr-defined]
                    opcode, payload
                )
                if reply:
                    await self.send(data, reply)
                continue
            kind = kind or opcode
            message += payload
            if len(message) > self.max_message_length:
                raise WebSocketError("Message too large")
            if self._is_last:
                return message.decode() if kind == self.TEXT else message


async def upgrade(request: Request) -> FragmentedWebSocket:
    """Upgrade a request to a WebSocket, as microdot.websocket.websocket_upgrade does."""
    web_socket = FragmentedWebSocket(request)
    await web_socket.handshake()

    @request.after_request
    async def after_request(request: Request, response: Response) -> Response:
        return Response.already_handled

    return web_socket
