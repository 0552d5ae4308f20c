#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds MicroPython for the Raspberry Pi Pico from Debian's own packages, in a minute or more.
#   build-firmware.sh FOLDER               says what it needs, and writes FOLDER/firmware.bin (MicroPython alone), FOLDER/licences (of its parts)
#                                          and FOLDER/tree (sources and objects); does nothing if all are there
#   build-firmware.sh FOLDER MODULES FILE  freezes the modules of the folder MODULES into that MicroPython, and writes
#                                          the image to FILE, in seconds: only the frozen bytecode is compiled again;
#                                          MicroPython's own functions in functions_in_ram.txt go into RAM
# Needs Debian; root only if a compiler of PACKAGES is missing. Debian's newer suites are read through a separate apt
# configuration: the system's own sources stay as they are. Where forky no longer has 1.26.1, trixie's 1.25.0 is built.
# It is built again when this script or neopixel.py has changed. VERSION=1.25.0 in the environment builds that one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
in_ram="$here/functions_in_ram.txt"
PACKAGES="gcc-arm-none-eabi libnewlib-arm-none-eabi libstdc++-arm-none-eabi-newlib cmake make gcc g++ python3 xz-utils bzip2"
SUITES="forky trixie"
VERSIONS="${VERSION:-1.26.1 1.25.0}"  # the first that a suite has, in any of Debian's revisions
SDK=2.1.1  # 2.2.0 has headers that MicroPython 1.26 does not find

lacking() {
  for package in $PACKAGES; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok installed' || echo "$package"
  done | xargs
}

revision() {  # print Debian's newest revision of upstream version $1 in apt's records, standard input
  awk -v want="$1" '$1 == "Version:" && substr($2 "-", 1, length(want) + 1) ~ /[-+]$/ && index($2, want) == 1 {print $2}' |
    sort -V | tail -1
}

change() {  # replace the pattern $2 in the file $1, where it must be, by $3
  grep -qE "$2" "$1" || { echo "$1 has no $2" >&2; return 1; }
  sed -i -E "s/$2/$3/" "$1"
}

fetch() {  # unpack the sources into $tree
  local work="$out/work"
  local apt=(-q -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/nonexistent
    -o Acquire::Retries=4 -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Get::List-Cleanup=0 -o APT::Sandbox::User=root)
  rm -rf "$work" "$tree"
  mkdir -p "$work"/{lists/partial,cache/archives/partial,src,deb} "$tree/frozen"
  local signed="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
  for suite in $SUITES; do echo "deb-src $signed $mirror $suite main contrib"; done >"$work/sources.list"
  echo "deb $signed $mirror trixie main contrib" >>"$work/sources.list"
  apt-get "${apt[@]}" update
  cd "$work/src"
  local found=
  for version in $VERSIONS; do
    found=$(apt-cache "${apt[@]}" showsrc micropython | revision "$version")
    [ -z "$found" ] || break
  done
  apt-get "${apt[@]}" source --download-only "micropython=${found:?Debian has no source of MicroPython $VERSIONS}" mbedtls/trixie
  found=$(apt-cache "${apt[@]}" show pico-sdk-source | revision "$SDK")
  apt-get "${apt[@]}" download "pico-sdk-source=${found:?Debian has no pico-sdk-source $SDK}" tinyusb-source/trixie
  for package in *.deb; do dpkg -x "$package" "$work/deb"; done
  cd "$work"
  tar xf src/micropython_*.orig.tar.xz
  tar xf src/mbedtls_*.orig.tar.bz2
  mv micropython-* "$tree/micropython"
  cd "$tree/micropython"
  rmdir lib/mbedtls lib/tinyusb lib/pico-sdk
  mv "$work"/mbedtls-* lib/mbedtls
  # without a network hashlib and cryptolib alone use it: what the linker would drop is not compiled
  sed -i -E '/MBEDTLS_DIR}\/library\/.*\.c$/{/\/(aes|platform_util|sha1|sha256)\.c$/!d}' extmod/extmod.cmake
  # nor what is for other processors, networks, other file systems and other kinds of USB device
  sed -i -E '/\/(asm(arm|rv|x)|emit(n|inline)(arm|debug|rv|x)|nlr(mips|power|rv|x)).*\.c$/d' py/py.cmake
  sed -i -E '/\/(vfs_(posix|rom)|network_|mod(bluetooth|lwip|network|socket|tls|web)).*\.c$/d' extmod/extmod.cmake
  # the frame of a Python function of up to 40 words, not 11, is on the stack: on the heap it would be garbage in each pass
  # of the hub's loop. The stack is 768 bytes larger for it, and the heap smaller
  change py/objfun.c '(VM_MAX_STATE_ON_STACK .sizeof.mp_uint_t. \* )11' '\140'
  change ports/rp2/CMakeLists.txt 'PICO_STACK_SIZE=0x2000' 'PICO_STACK_SIZE=0x2300'
  change ports/rp2/memmap_mp_rp2040.ld '(__GcHeapEnd = ORIGIN.RAM. \+ LENGTH.RAM.)' '\1 - 0x300'
  mv "$work"/deb/usr/src/tinyusb lib/tinyusb
  sed -i -E '/\/class\/(audio|dfu|hid|midi|net|usbtmc|vendor|video)\/.*\.c$/d' lib/tinyusb/hw/bsp/rp2040/family.cmake
  mv "$work"/deb/usr/src/pico-sdk lib/pico-sdk
  touch lib/pico-sdk/README.md lib/micropython-lib/README.md  # the build looks for these names
  mkdir "$tree/licences"
  cp LICENSE "$tree/licences/micropython.txt"  # it names those of the libraries that come with it
  cp "$work/deb/usr/share/doc/pico-sdk-source/copyright" "$tree/licences/pico-sdk.txt"
  cp "$work/deb/usr/share/doc/tinyusb-source/copyright" "$tree/licences/tinyusb.txt"
  cp /usr/share/doc/libnewlib-arm-none-eabi/copyright "$tree/licences/newlib.txt"
  cp "$here/neopixel.py" "$tree/"
  printf 'freeze("$(PORT_DIR)/modules")\ninclude("$(MPY_DIR)/extmod/asyncio")\nfreeze("%s", "neopixel.py")\nfreeze("%s", opt=3)\n' \
    "$tree" "$tree/frozen" >"$tree/manifest.py"
  rm -rf "$work"
}

compile() {  # make the image with the modules in $tree/frozen; GIT_DIR: its version is MicroPython's, not this repository's
  local sources="$tree/micropython"
  # frozen machine code goes into RAM, at addresses that an RP2040 can read words from
  sed -i 's/section(".text,/section(".time_critical.frozen,/; s/aligned (2)/aligned (4)/' "$sources/tools/mpy-tool.py"
  export GIT_DIR=/nonexistent CMAKE_ARGS="-DPICO_NO_PICOTOOL=1"
  SOURCE_DATE_EPOCH=$(stat -c %Y "$sources/py/mpconfig.h")  # the same image on any day
  export SOURCE_DATE_EPOCH
  # else gcc resolves the path of each of the SDK's headers again for each file, which takes a fifth of the build's time
  export CFLAGS=-fno-canonical-system-headers CXXFLAGS=-fno-canonical-system-headers
  make -C "$sources/mpy-cross" -j2 COPT="-O0 -DNDEBUG" &&  # it compiles few modules: quickly built is quickest
  make -C "$sources/ports/rp2" BOARD=RPI_PICO FROZEN_MANIFEST="$tree/manifest.py" -j2
}

renaming() {  # print objcopy's options that rename the sections .$1.NAME to .$2.NAME of the functions in file $3
  sed "s/.*/--rename-section=.$1.&=.$2.&/" "$3"
}

move_functions() {  # move the functions of $in_ram into RAM, where they never wait for flash, and those of before back
  local moved="$tree/moved" object
  touch "$moved"
  ! cmp -s "$moved" "$in_ram" || return 0
  grep -rlF --include=*.o -f <(cat "$moved" "$in_ram") "$tree/micropython/ports/rp2/build-RPI_PICO/CMakeFiles" |
    while read -r object; do
      arm-none-eabi-objcopy $(renaming time_critical text "$moved") "$object" &&
        arm-none-eabi-objcopy $(renaming text time_critical "$in_ram") "$object" || exit 1
    done && cp "$in_ram" "$moved"
}

progress() {  # print the build's percentage every 15 seconds
  local before= now=
  while sleep 15; do
    now=$(grep -oE '^\[ *[0-9]+%\]' "$out/build.log" 2>/dev/null | tail -1) || true
    [ "$now" = "$before" ] || echo "  $now"
    before=$now
  done
}

made_here() {  # whether $tree was made where it is: its files name their folders, and a copy would freeze the other's modules
  grep -qF "freeze(\"$tree/frozen\"" "$tree/manifest.py"
}

mkdir -p "$1"
out=$(cd "$1" && pwd -P)
tree="$out/tree"
image="$tree/micropython/ports/rp2/build-RPI_PICO/firmware.bin"
if [ $# = 3 ]; then
  made_here || { echo "$out was built in another folder: run make micropython" >&2; exit 1; }
  exec 9>"$tree/lock"
  flock 9  # one at a time
  rm -rf "$tree/frozen"
  cp -r "$2" "$tree/frozen"
  { move_functions && compile; } >"$out/freeze.log" 2>&1 || { tail -20 "$out/freeze.log"; exit 1; }
  cp "$image" "$3"
  exit 0
fi
made_from=$(cat "$here/build-firmware.sh" "$here/neopixel.py" - <<<"$VERSIONS" | sha256sum)
if [ -f "$out/firmware.bin" ] && [ -f "$image" ] && made_here && [ "$(cat "$out/made-from" 2>/dev/null)" = "$made_from" ]; then
  touch "$out/firmware.bin"  # make compares its time with theirs
  exit 0
fi
instead="An official RPI_PICO UF2, 1.25 or newer, does instead: make pico UF2=FILE, or --image FILE."
if ! mirror=$("$here/../../../hardware/debian-mirror.sh" 2>&1); then
  echo "MicroPython cannot be built here: $mirror" >&2
  echo "$instead" >&2
  exit 1
fi
lacks=$(lacking)
echo "Building MicroPython from Debian's packages: 250 MB in build/micropython, a minute or more."
if [ -n "$lacks" ]; then
  echo "It needs, as root: apt install $lacks"
  apt-get install -s --no-install-recommends $lacks 2>/dev/null | grep -E '[0-9]+ newly installed' || true
  apt-get install --assume-no --no-install-recommends $lacks 2>/dev/null | grep -E '^(Need to get|After this)' || true
fi
echo "$instead"
if [ -n "$lacks" ] && [ "$(id -u)" != 0 ]; then
  exit 1
fi
echo "The log is build/micropython/build.log."
progress &
trap "kill $! 2>/dev/null || true" EXIT
set +e  # for the next command, whose own -e would not count in a condition
(
  set -e
  if [ -n "$lacks" ]; then
    install=(apt-get install -y -q -o Acquire::Retries=4 -o DPkg::Lock::Timeout=300 --no-install-recommends $lacks)
    "${install[@]}" || { apt-get update -q && "${install[@]}"; }
  fi
  fetch
  compile
) >"$out/build.log" 2>&1
failed=$?
set -e
[ $failed = 0 ] || { tail -20 "$out/build.log"; exit 1; }
rm -rf "$out/licences"
cp -r "$tree/licences" "$out/"
cp "$image" "$out/"
echo "$made_from" >"$out/made-from"
