#!/usr/bin/env bash
# Cuts the typefaces down to the parts that pages use (letters of western Europe, signs of German texts, the weights in our styles) and
# writes them to web/src/ui/fonts: half the bytes of the packages' files on a guest's line. adapt-font.py changes some letters; the pictures
# that messengers show have a face of their own (card-font.py). Run it after an update of @fontsource-variable/* or when a style needs
# another weight. Needs fonttools and brotli (Debian: fonttools, python3-brotli). Only this script needs the face of codes, so its package
# is no dependency.
set -euo pipefail
cd "$(dirname "$0")/.."

letters='U+0020-007E,U+00A0,U+00C0-00D6,U+00D8-00F6,U+00F8-00FF,U+0131,U+0152-0153'
signs='U+00A7,U+00B7,U+2011,U+2013-2014,U+2018-201E,U+2026,U+20AC'
more='U+00A9,U+00AB,U+00AE,U+00B0,U+00B2,U+00B3,U+00B9,U+00BB,U+00BC-00BF,U+00D7,U+2009,U+2010,U+2022,U+202F,U+2190-2193,U+2212'

# $1 package, $2 name, $3 weights, $4 characters
cut_down() {
  local source="node_modules/@fontsource-variable/$1" whole
  whole=$(mktemp --suffix=.ttf)
  python3 tools/adapt-font.py "$source/files/$1-latin-wght-normal.woff2" "$whole"
  fonttools varLib.instancer --quiet "$whole" "wght=$3" -o "$whole"
  pyftsubset "$whole" --unicodes="$4" --layout-features=kern,ccmp,locl,tnum,zero --flavor=woff2 --no-hinting \
    --output-file="web/src/ui/fonts/$2.woff2"
  cp "$source/LICENSE" "web/src/ui/fonts/$2.LICENSE.txt"
  rm "$whole"
}

cut_down bricolage-grotesque display 600:700 "$letters,$signs"
cut_down atkinson-hyperlegible-next text 400:700 "$letters,$signs,$more"

python3 tools/card-font.py node_modules/@fontsource-variable/bricolage-grotesque/files server/src/images/card/letters.ttf
cp node_modules/@fontsource-variable/bricolage-grotesque/LICENSE server/src/images/card/letters.LICENSE.txt

codes='U+0020,U+002D,U+0030-0039,U+0041-005A,U+0061-007A'
mono=$(mktemp -d)
(cd "$mono" && npm pack --silent @fontsource-variable/atkinson-hyperlegible-mono@5.3.0 >/dev/null && tar xzf ./*.tgz)
fonttools varLib.instancer --quiet "$mono/package/files/atkinson-hyperlegible-mono-latin-wght-normal.woff2" wght=400:700 -o "$mono/whole.ttf"
pyftsubset "$mono/whole.ttf" --unicodes="$codes" --layout-features= --flavor=woff2 --no-hinting --output-file=web/src/ui/fonts/code.woff2
cp "$mono/package/LICENSE" web/src/ui/fonts/code.LICENSE.txt
rm -r "$mono"
