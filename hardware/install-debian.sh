#!/bin/bash
# SPDX-License-Identifier: MIT
# What `make hardware` wants on Debian 12 besides Python's packages (root): KiCad 9 with its symbols
# and footprints, from backports, graphviz, and Mesa's EGL for renders without a screen. A minute.
set -euo pipefail
if command -v kicad-cli && command -v dot && ldconfig -p | grep -F libEGL_mesa; then exit 0; fi >/dev/null
mirror=$("$(dirname "$0")/debian-mirror.sh")
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$keys] $mirror bookworm-backports main" >/etc/apt/sources.list.d/backports.list
apt-get update -q
apt-get install -y -q --no-install-recommends graphviz libegl1 libegl-mesa0 libgl1-mesa-dri
apt-get install -y -q --no-install-recommends -t bookworm-backports kicad kicad-symbols kicad-footprints
