#!/bin/sh
# Makes the client's fonts again from their npm packages: "tools/fonts.sh" (needs npm, and fonttools and brotli in
# .venv: .venv/bin/pip install fonttools brotli). Each font keeps the letters that the table uses, as one variable file.
# The copyright stays in it, and the name goes: a changed font may not bear the name that its licence reserves.
set -eu
cd "$(dirname "$0")/.."
here=$PWD/src/leuthen/client/fonts
bin=${FONT_TOOLS:-$PWD/.venv/bin}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

latin='U+20-7E,U+A0-FF,U+131,U+152-153'
central='U+104-107,U+10C-10F,U+118-11B,U+141-144,U+147-148,U+150-151,U+158-15B,U+160-161,U+164-165,U+16E-171,U+179-17E'
marks='U+2013-2014,U+2018-201A,U+201C-201E,U+2026,U+2039-203A,U+20AC,U+2190-2193,U+2197,U+2212'
signs='U+25B4,U+25B8,U+25BE,U+25CB,U+25CF,U+2713,U+2717'
kept='--name-IDs=0,13,14 --no-hinting --notdef-outline'

fetch() { # PACKAGE FOLDER
    (cd "$work" && tar -xzf "$(npm pack --silent "$1")" && mv package "$2")
}
cut() { # SOURCE UNICODES FEATURES LIMITS… TARGET
    source=$1 letters=$2 features=$3 limits=$4 target=$5
    "$bin/pyftsubset" "$source" --unicodes="$letters" --layout-features="$features" $kept --output-file="$work/cut.ttf"
    "$bin/fonttools" varLib.instancer --quiet "$work/cut.ttf" $limits --output "$work/limited.ttf"
    "$bin/pyftsubset" "$work/limited.ttf" --unicodes='*' --layout-features='*' $kept --flavor=woff2 --output-file="$target"
}

fetch source-sans@3.52.0 sans
fetch source-serif@4.5.1 serif
fetch @fontsource/noto-sans-symbols@5.3.0 signs
fetch @fontsource/noto-sans-symbols-2@5.3.0 more

mkdir -p "$here"
cut "$work/sans/VF/SourceSans3VF-Upright.ttf" "$latin,$central,$marks,$signs" kern,tnum wght=400:700 "$here/sans.woff2"
cut "$work/serif/VAR/SourceSerif4Variable-Roman.ttf" "$latin,$central,$marks" kern,tnum 'opsz=14 wght=400:600' "$here/serif.woff2"
for part in signs/files/noto-sans-symbols-symbols more/files/noto-sans-symbols-2-symbols; do
    "$bin/pyftsubset" "$work/$part-400-normal.woff2" --unicodes=U+2605,U+2630,U+2691,U+2694,U+2715,U+2720,U+2744,U+2922 \
        --layout-features= $kept --output-file="$work/$(basename "$part").ttf"
done
"$bin/fonttools" merge --output-file="$work/merged.ttf" "$work"/noto-*.ttf >/dev/null
"$bin/pyftsubset" "$work/merged.ttf" --unicodes='*' $kept --flavor=woff2 --output-file="$here/signs.woff2"
{
    for font in sans serif; do head -n 1 "$work/$font/LICENSE.md"; done
    cat "$work/signs/LICENSE"
} >"$here/OFL.txt"
wc -c "$here"/*.woff2
