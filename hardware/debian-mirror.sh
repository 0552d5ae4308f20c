#!/bin/bash
# SPDX-License-Identifier: MIT
# Prints the Debian mirror of this machine, from either form of apt's sources, or one line of error.
#   debian-mirror.sh [ETC-APT]
set -euo pipefail
apt=${1:-/etc/apt}
mirror=$({ cat "$apt"/sources.list.d/*.sources "$apt"/sources.list "$apt"/sources.list.d/*.list 2>/dev/null || true; } |
  awk '/^ *#/{next} $1 == "URIs:" || $1 == "deb" {for (i = 2; i <= NF; i++) if ($i ~ "^https?:.*/debian/?$") {print $i; exit}}')
if [ -z "$mirror" ]; then
  echo "no Debian mirror in $apt: this needs Debian's own packages (Ubuntu's will not do)" >&2
  exit 1
fi
echo "$mirror"
