#!/bin/sh
# `npm run image [-- <name>]` builds the image with podman, prints its name, and leaves its bill of materials at
# .data/sbom.cdx.json and the statement of how it was made at .data/provenance.json. Where no registry of images is within
# reach, both bases are put together from Debian's packages and the project's own Node. Needs Linux and root; podman,
# runc and debootstrap are installed when missing. Where that cannot be, it says so and ends with 69 (EX_UNAVAILABLE).
set -eu
cd "$(dirname "$0")/.."
. .configs/setup.sh
name=${1:-group-payments:dev}

unavailable() {
  printf '%s\n' "$*" >&2
  exit 69
}

# Containers of older kernels and of nested machines may start with fewer limits than podman asks for.
limits='--ulimit nofile=20000:20000 --ulimit nproc=1000:1000'

install_tools() {
  missing=''
  for tool in podman runc debootstrap; do command -v $tool >/dev/null 2>&1 || missing="$missing $tool"; done
  [ -z "$missing" ] && return
  [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1 ||
    unavailable "The image needs$missing. On Debian, as root: apt-get install$missing"
  echo "Installing$missing from the packages of this system (once)." >&2
  { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing; } >&2 ||
    unavailable "The packages$missing could not be installed; see above."
}

# The same image by its digest; a tag could name another one tomorrow.
by_digest() { printf '%s@%s\n' "${1%%@*}" "$(podman image inspect --format '{{.Digest}}' "$1")"; }

base_of() { sed -n "s/^ARG $1=//p" Dockerfile; }

# What the two bases of the Dockerfile have, from what this machine has: a small Debian with Node and npm; and Node with
# the libraries it loads, certificates and two accounts, without a shell.
assemble_bases() {
  podman image exists group-payments-base:build && podman image exists group-payments-base:run && return
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 130' INT TERM
  echo 'Putting the bases of the image together (once).' >&2
  . /etc/os-release
  debootstrap --variant=minbase --include=libstdc++6,ca-certificates "$VERSION_CODENAME" "$work/build" >"$work/log" 2>&1 ||
    { tail -5 "$work/log" >&2; unavailable 'The base could not be made by debootstrap; see above.'; }
  node=$(readlink -f "$(command -v node)")
  install -D "$node" "$work/build/usr/local/bin/node"
  npm install --prefix "$work/build/usr/local/lib" --no-save --ignore-scripts --loglevel=error "npm@$pinned_npm" >&2
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/build/usr/local/bin/npm"
  # Whom this machine trusts, builds inside trust as well.
  cp /etc/ssl/certs/ca-certificates.crt "$work/build/etc/ssl/certs/ca-certificates.crt"
  run="$work/run"
  install -D "$node" "$run/nodejs/bin/node"
  # Whole packages, as distroless has them: native modules load more of them than Node does.
  for library in $(chroot "$work/build" dpkg -L libc6 libgcc-s1 libstdc++6 | grep '\.so[.0-9]*$' | grep -v /gconv/); do
    install -D "$work/build$library" "$run$library"
  done
  install -D "$work/build/etc/ssl/certs/ca-certificates.crt" "$run/etc/ssl/certs/ca-certificates.crt"
  printf 'root:x:0:0::/:/none\nnonroot:x:65532:65532::/:/none\n' >"$run/etc/passwd"
  printf 'root:x:0:\nnonroot:x:65532:\n' >"$run/etc/group"
  tar -C "$work/build" -c . |
    podman import --quiet --change 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' - group-payments-base:build >&2
  tar -C "$run" -c . | podman import --quiet - group-payments-base:run >&2
  rm -rf "$work"
  trap - EXIT INT TERM
}

began=$(date -u +%Y-%m-%dT%H:%M:%SZ)
install_tools
build=$(base_of BUILD_BASE)
run=$(base_of RUN_BASE)
if ! { timeout 60 podman pull --quiet "$build" && timeout 60 podman pull --quiet "$run"; } >/dev/null 2>&1; then
  echo 'The bases of the image are out of reach.' >&2
  assemble_bases
  build=localhost/group-payments-base:build
  run=localhost/group-payments-base:run
fi
made_from_build=$(by_digest "$build")
made_from_run=$(by_digest "$run")
# shellcheck disable=SC2086
podman build --runtime runc $limits --network host --build-arg BUILD_BASE="$build" --build-arg RUN_BASE="$run" \
  --target run --tag "$name" . >&2

mkdir -p .data
container=$(podman create --runtime runc "$name")
podman cp "$container:/app/sbom.cdx.json" .data/sbom.cdx.json
podman rm "$container" >/dev/null
node .configs/provenance.mjs "$name" "$(podman image inspect --format '{{.Id}}' "$name")" \
  "$made_from_build" "$made_from_run" "$began" >.data/provenance.json
echo "$name"
