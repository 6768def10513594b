#!/bin/sh
# `sh .configs/pin-bases.sh` writes the digest that each base of the image has today into the Dockerfile, beside its tag.
# A release is built from pinned bases. Needs podman and the registries of the bases; without them it changes nothing,
# says so, and ends with 69 (EX_UNAVAILABLE). `GP_DOCKERFILE` is another file than the project's.
set -eu
cd "$(dirname "$0")/.."
file=${GP_DOCKERFILE:-Dockerfile}
pinned=$(cat "$file")

for argument in BUILD_BASE RUN_BASE; do
  base=$(sed -n "s/^ARG $argument=//p" "$file")
  name=${base%%@*}
  timeout 300 podman pull --quiet "$name" >/dev/null ||
    { echo "$name cannot be pulled: no base was pinned." >&2; exit 69; }
  digest=$(podman image inspect --format '{{.Digest}}' "$name")
  case $digest in
    sha256:*) ;;
    *) echo "podman names no digest of $name: no base was pinned." >&2; exit 69 ;;
  esac
  pinned=$(printf '%s\n' "$pinned" | sed "s|^ARG $argument=.*|ARG $argument=$name@$digest|")
  echo "$name@$digest"
done
printf '%s\n' "$pinned" >"$file"
