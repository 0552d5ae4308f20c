#!/bin/bash
# SPDX-License-Identifier: MIT
# KiCad 9 with its symbols and footprints on Debian 12 (root), from its backports: a minute.
set -euo pipefail
if command -v kicad-cli >/dev/null; then exit 0; fi
mirror=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources)
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keys] $mirror bookworm-backports main" >/etc/apt/sources.list.d/backports.list
apt-get update -q
apt-get install -y -q --no-install-recommends -t bookworm-backports kicad kicad-symbols kicad-footprints
