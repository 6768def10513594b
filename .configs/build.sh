#!/bin/sh
# `sh .configs/build.sh` builds the pages, and the bundles of the programs, that changed; run.sh has the right Node on PATH.
set -eu
cd "$(dirname "$0")/.."

web='services/checkout/web services/merchant-dashboard/web'

# Turborepo stays on this machine: no telemetry, no remote cache, no question.
if [ -x node_modules/.bin/turbo ]; then
  export TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1 TURBO_NO_UPDATE_NOTIFIER=1
  exec node_modules/.bin/turbo run build bundle --output-logs=errors-only --log-order=grouped
fi

# An install for running has no Turborepo (46 MB): everything is built when any source is newer than the last build.
is_built() {
  for result in .data/built dist $(printf '%s/dist ' $web); do
    [ -e "$result" ] || return 1
  done
  [ -z "$(find libs services .configs package-lock.json tsconfig.base.json \
    \( -name node_modules -o -name dist -o -name .turbo \) -prune -o -type f -cnewer .data/built -print | head -n 1)" ]
}

build_all() {
  for folder in $web; do (cd "$folder" && node --run build) || return 1; done
  node --run bundle
}

# Two commands must not build over each other.
mkdir -p .data
if command -v flock >/dev/null 2>&1; then
  exec 9>.data/build.lock
  flock 9
fi
if is_built; then exit; fi
echo 'Building the pages and the programs.'
# What changes while it builds is newer than this.
: >.data/build.began
build_all >.data/build.log 2>&1 || {
  cat .data/build.log
  exit 1
}
mv .data/build.began .data/built
