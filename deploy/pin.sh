#!/bin/sh
# Writes the four base images with their present digests into .env: compose starts and builds with these alone.
# Run it before the first start, and again whenever you want newer images: `docker compose up --build --detach` then takes them.
set -eu
cd "$(dirname "$0")"

pin() { # setting, image
    digest=$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$2")
    echo "$digest" | grep -Eqx 'sha256:[0-9a-f]{64}' || { echo "pin.sh: $2 has no digest" >&2; exit 1; }
    echo "$1=$2@$digest"
}

umask 077
touch .env
{
    grep -Ev '^LEUTHEN_(NODE|PYTHON|POSTGRES|NGINX)_IMAGE=' .env || true
    pin LEUTHEN_NODE_IMAGE node:24-slim
    pin LEUTHEN_PYTHON_IMAGE python:3.12-slim
    pin LEUTHEN_POSTGRES_IMAGE postgres:17
    pin LEUTHEN_NGINX_IMAGE nginxinc/nginx-unprivileged:1.28
} >.env.new
mv .env.new .env
