#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds MicroPython 1.25.0 for the Raspberry Pi Pico from Debian trixie's own packages, in about two minutes.
#   build-firmware.sh FOLDER    leaves FOLDER/firmware.bin, the licences of what is in it in FOLDER/licences, and
#   MicroPython's own benchmarks in FOLDER/perf_bench; does nothing where they stand already. Needs Debian; root only
#   where a compiler of PACKAGES lacks.
# Trixie is read through an apt configuration of its own: the system's sources stay as they are.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
[ -f "$out/firmware.bin" ] && [ -d "$out/perf_bench" ] && [ -d "$out/licences" ] && exit 0
PACKAGES="gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib cmake make gcc g++ python3 xz-utils bzip2"
mirror=$("$here/../../hardware/debian-mirror.sh")
lacks=$(for package in $PACKAGES; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || echo "$package"
done | xargs)
if [ -n "$lacks" ] && [ "$(id -u)" != 0 ]; then
  echo "building MicroPython needs packages that are not installed; as root: apt install $lacks" >&2
  exit 1
fi
work="$out/work"
apt=(-q -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/nonexistent -o "Dir::State::lists=$work/lists"
  -o "Dir::Cache=$work/cache" -o APT::Get::List-Cleanup=0 -o APT::Sandbox::User=root)
progress() {  # what the build's log says, now and then
  local before= now=
  while sleep 15; do
    now=$(grep -oE '^\[ *[0-9]+%\]' "$out/build.log" 2>/dev/null | tail -1) || true
    [ "$now" = "$before" ] || echo "  $now"
    before=$now
  done
}
progress &
trap "kill $! 2>/dev/null || true" EXIT
rm -rf "$work"
mkdir -p "$work"/{lists/partial,cache/archives/partial,src,deb}
{
  if [ -n "$lacks" ]; then
    install=(apt-get install -y -q --no-install-recommends $lacks)
    "${install[@]}" || { apt-get update -q && "${install[@]}"; }
  fi
  for kind in deb deb-src; do
    echo "$kind [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main contrib"
  done >"$work/sources.list"
  apt-get "${apt[@]}" update
  cd "$work/src"
  apt-get "${apt[@]}" source --download-only micropython=1.25.0+ds-1 mbedtls/trixie
  apt-get "${apt[@]}" download pico-sdk-source=2.1.1-1 tinyusb-source=0.18.0+dfsg-1
  for package in *.deb; do dpkg -x "$package" "$work/deb"; done
  cd "$work"
  tar xf src/micropython_1.25.0+ds.orig.tar.xz
  tar xf src/mbedtls_3.6*.orig.tar.bz2
  cd micropython-1.25.0
  rmdir lib/mbedtls lib/tinyusb lib/pico-sdk
  mv ../mbedtls-3.6* lib/mbedtls
  mv "$work"/deb/usr/src/tinyusb lib/tinyusb
  mv "$work"/deb/usr/src/pico-sdk lib/pico-sdk
  touch lib/pico-sdk/README.md lib/micropython-lib/README.md  # the build looks for these names
  printf 'freeze("$(PORT_DIR)/modules")\ninclude("$(MPY_DIR)/extmod/asyncio")\nfreeze("%s", "neopixel.py")\n' "$here" >"$work/manifest.py"
  export GIT_DIR=/nonexistent  # its version is its own, not the repository's around it
  make -C mpy-cross -j2
  export CMAKE_ARGS="-DPICO_NO_PICOTOOL=1"
  make -C ports/rp2 BOARD=RPI_PICO FROZEN_MANIFEST="$work/manifest.py" -j2
} >"$out/build.log" 2>&1 || { tail -20 "$out/build.log"; exit 1; }
rm -rf "$out/perf_bench" "$out/licences"
mkdir "$out/licences"
cp LICENSE "$out/licences/micropython.txt"  # it names those of the libraries that come with it
cp "$work/deb/usr/share/doc/pico-sdk-source/copyright" "$out/licences/pico-sdk.txt"
cp "$work/deb/usr/share/doc/tinyusb-source/copyright" "$out/licences/tinyusb.txt"
cp /usr/share/doc/libnewlib-arm-none-eabi/copyright "$out/licences/newlib.txt"
cp -r tests/perf_bench "$out/"
cp ports/rp2/build-RPI_PICO/firmware.bin "$out/"
rm -rf "$work"
