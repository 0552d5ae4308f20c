#!/bin/bash
# SPDX-License-Identifier: MIT
# What `make hardware` wants on Debian 12 besides Python's packages (root): KiCad 9 with its symbols
# and footprints, from backports, and graphviz. A minute.
set -euo pipefail
if command -v kicad-cli >/dev/null && command -v dot >/dev/null; then exit 0; fi
mirror=$(awk '/^URIs:/{print $2; exit}' /etc/apt/sources.list.d/debian.sources)
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keys] $mirror bookworm-backports main" >/etc/apt/sources.list.d/backports.list
apt-get update -q
apt-get install -y -q --no-install-recommends graphviz
apt-get install -y -q --no-install-recommends -t bookworm-backports kicad kicad-symbols kicad-footprints
