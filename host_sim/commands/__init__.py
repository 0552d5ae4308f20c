# SPDX-License-Identifier: MIT
"""The commands, one file each, with the interface of `command_line.command.Command`. This file
defines no names, so that a command may have any."""
