#!/bin/sh
# What the npm scripts call: `sh .configs/run.sh <word> [arguments]`.
set -eu
cd "$(dirname "$0")/.."
. .configs/setup.sh

jest() {
  node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js \
    --config .configs/jest.config.mjs "$@"
}

# The chart's own tests. Their sum is the last line, or why they could not run.
chart() {
  if helm=$(sh .configs/tools.sh helm); then
    GP_HELM=$helm node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js \
      --config .configs/jest.platform.mjs "$@"
  else
    echo 'NOT RUN: the tests of the chart, since no helm can be had here (see above).'
  fi
}

# Turborepo stays on this machine: no telemetry, no remote cache, no question.
turbo() {
  TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1 TURBO_NO_UPDATE_NOTIFIER=1 node_modules/.bin/turbo "$@"
}

lint() {
  mkdir -p .data
  eslint --config .configs/eslint.config.mjs .
  prettier --config .configs/prettier.json --log-level warn --check .
  lint_interface
}

# Both linters of the public interface work from files alone.
lint_interface() {
  REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
    redocly lint libs/reference/openapi.json --config .configs/redocly.yaml >.data/redocly.log 2>&1 ||
    { cat .data/redocly.log >&2; return 1; }
  spectral lint libs/reference/openapi.json --ruleset .configs/spectral.yaml --fail-severity=hint --quiet
}

boundaries() {
  depcruise --config .configs/boundaries.cjs libs services test
}

# One program for everything Node runs: each workspace by itself would load all the others again.
typecheck() {
  tsc -p .configs/tsconfig.json
}

# Every generate.ts writes the files it answers for.
generate() {
  mkdir -p .data
  find libs services test -name node_modules -prune -o -name generate.ts -print | LC_ALL=C sort >.data/generators
  while IFS= read -r script; do node "$script" </dev/null; done <.data/generators
}

word=${1:-}
[ $# -eq 0 ] || shift
case "$word" in
  setup) ;;
  start) exec node libs/stack/src/main.ts start "$@" ;;
  demo) exec node test/demo/main.ts "$@" ;;
  test) jest "$@" ;;
  operator) exec node --no-warnings services/operator/src/cli.ts "$@" ;;
  bench) exec node test/bench/main.ts "$@" ;;
  history) exec node test/history/main.ts "$@" ;;
  contract) exec node test/contract/main.ts ;;
  chart) chart "$@" ;;
  lint | boundaries | typecheck | generate) "$word" ;;
  check) exec .ci/run ;;
  *)
    echo "usage: run.sh setup|start|demo|operator|test|bench|history|contract|chart|lint|boundaries|typecheck|generate|check" >&2
    exit 64
    ;;
esac
