#!/bin/sh
# Tools that are no package of npm: `sh .configs/tools.sh helm` prints where one is. What PATH has is taken when it is
# of the pinned major version; otherwise Go builds the pinned one into .data/tools, once. `prometheus` and `promtool`
# are PATH's, or those of Debian's package; `tilt` is PATH's or .data/tools/tilt. Where there is neither, it says why on stderr and ends with 69
# (EX_UNAVAILABLE).
set -eu
cd "$(dirname "$0")/.."

helm_version=4.3.1

unavailable() {
  printf '%s\n' "$*" >&2
  exit 69
}

go_command() {
  if command -v go; then return; fi
  [ -x /usr/local/go/bin/go ] && echo /usr/local/go/bin/go
}

# go_tool <name> <package@version> <major it must be>
go_tool() {
  own="$PWD/.data/tools/$1-${2##*@}"
  found=$(command -v "$1" || true)
  if [ -n "$found" ] && "$found" version 2>/dev/null | grep -q "v$3\."; then
    echo "$found"
    return
  fi
  if [ ! -x "$own" ]; then
    go=$(go_command) || unavailable "$1 $3 is not on PATH, and there is no Go to build it with."
    mkdir -p .data/tools/new
    echo "Building $2 (once)." >&2
    GOBIN="$PWD/.data/tools/new" GOFLAGS=-trimpath GOTOOLCHAIN=local CGO_ENABLED=0 "$go" install -ldflags '-s -w' "$2" >&2 ||
      unavailable "$2 could not be built: is the Go module proxy within reach?"
    mv ".data/tools/new/$1" "$own"
  fi
  echo "$own"
}

# The package is unpacked, not installed: installing it would start a server on this machine.
debian_tool() {
  if command -v "$1"; then return; fi
  unpacked="$PWD/.data/tools/$2"
  if [ ! -x "$unpacked/usr/bin/$1" ]; then
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null ||
      unavailable "$1 is not on PATH, and only Debian's package $2 is known here."
    mkdir -p .data/tools
    new=$(mktemp -d "$PWD/.data/tools/new-XXXXXX")
    trap 'rm -rf "$new"' EXIT
    echo "Unpacking Debian's package $2 (once)." >&2
    (cd "$new" && download "$2") >&2 || unavailable "Debian's package $2 could not be had; see above."
    dpkg-deb -x "$new/$2"_*.deb "$new/root"
    rm -rf "$unpacked"
    mv "$new/root" "$unpacked"
  fi
  echo "$unpacked/usr/bin/$1"
}

# Tilt is in no registry that this project asks, and no module that `go install` takes. PATH may have another program
# of this name, which makes pages of templates.
tilt_tool() {
  for found in "$(command -v tilt || true)" "$PWD/.data/tools/tilt"; do
    if [ -x "$found" ] && TILT_DISABLE_ANALYTICS=1 "$found" version 2>/dev/null | grep -q '^v0\.'; then
      echo "$found"
      return
    fi
  done
  unavailable "tilt is neither on PATH nor in .data/tools; https://docs.tilt.dev/install.html says how to get it."
}

# The lists of packages are brought up to date when that is what is missing, which takes root.
download() {
  apt-get download -q "$1" && return
  [ "$(id -u)" -eq 0 ] && apt-get update -q && apt-get download -q "$1"
}

case "${1:-}" in
  prometheus | promtool) debian_tool "$1" prometheus ;;
  helm) go_tool helm "helm.sh/helm/v4/cmd/helm@v$helm_version" 4 ;;
  tilt) tilt_tool ;;
  *)
    echo 'usage: tools.sh helm|prometheus|promtool|tilt' >&2
    exit 64
    ;;
esac
