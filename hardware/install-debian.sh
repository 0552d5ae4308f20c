#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs what `make hardware` needs on Debian 12 or 13 besides Python's packages: KiCad 9 with its
# symbols and footprints (on 12 from backports), graphviz, and Mesa's EGL for renders without a
# screen. Takes a minute, and root, unless all of it is installed.
set -euo pipefail
if command -v kicad-cli && command -v dot && ldconfig -p | grep -F libEGL_mesa; then exit 0; fi >/dev/null
mirror=$("$(dirname "$0")/debian-mirror.sh")
debian=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
case $debian in
  bookworm) kicad=(-t bookworm-backports kicad kicad-symbols kicad-footprints) ;;
  trixie) kicad=(kicad kicad-symbols kicad-footprints) ;;
  *) echo "KiCad 9 is in Debian 12's backports and in Debian 13; this is ${debian:-neither}" >&2; exit 1 ;;
esac
if [ "$(id -u)" != 0 ]; then
  echo "KiCad 9, graphviz or Mesa is not installed; as root: hardware/install-debian.sh" >&2
  exit 1
fi
if [ "$debian" = bookworm ]; then
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb [signed-by=$keys] $mirror bookworm-backports main" >/etc/apt/sources.list.d/backports.list
fi
apt=(apt-get -q -o Acquire::Retries=4 -o DPkg::Lock::Timeout=300)
"${apt[@]}" update
"${apt[@]}" install -y --no-install-recommends graphviz libegl1 libegl-mesa0 libgl1-mesa-dri
"${apt[@]}" install -y --no-install-recommends "${kicad[@]}"
