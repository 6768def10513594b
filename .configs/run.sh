#!/bin/sh
# What the npm scripts call: `sh .configs/run.sh <word> [arguments]`.
set -eu
cd "$(dirname "$0")/.."
# Running the product needs less than half of the packages.
case "${1:-}" in
  start | stop | demo | build | operator | identities) gp_install=run ;;
  *) gp_install=all ;;
esac
# The install of a fresh clone takes a minute or two: that the API's port is taken is said before it. The platform looks
# at all its ports when it starts.
if [ "$*" = start ] && [ ! -e node_modules ] && command -v node >/dev/null 2>&1; then
  port=${GP_PORT_BASE:-8080}
  status=0
  node -e 'require("node:net").connect(+process.argv[1], "127.0.0.1")
    .once("connect", () => process.exit(3)).once("error", () => process.exit(0))' "$port" 2>/dev/null || status=$?
  if [ "$status" -eq 3 ]; then
    echo "Port $port on 127.0.0.1, wanted for the API, is already in use." >&2
    echo 'GP_PORT_BASE=18080 npm start takes other ports, if these are free.' >&2
    exit 1
  fi
fi
. .configs/setup.sh

# Compiled code is kept between processes and runs: it saves each process of a stack half a second of work.
NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-$PWD/.data/compile-cache}
export NODE_COMPILE_CACHE

# The kinds of tests that `npm test` runs; the long ones take more time than all of these together, the rest want tools of their own.
daily='unit component journey browser'
# Those that need nothing but the project itself.
all="$daily long attack"

jest() {
  node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js \
    --config .configs/jest.config.mjs "$@"
}

# kinds "<kind> ..." [arguments of jest]
kinds() {
  selected=$1
  shift
  # shellcheck disable=SC2086
  jest "$@" --selectProjects $selected
}

# Every test of the kinds, or with arguments the tests that these name.
tests() {
  selected=$1
  shift
  browser_for "$selected" "$@" && kinds "$selected" "$@"
}

# Every test there is; what fails does not keep the rest from running. Those that want tools of their own run beside each
# other.
everything() {
  status=0
  tests "$all" --maxWorkers=4 || status=1
  mkdir -p .data
  monitoring >.data/monitoring.log 2>&1 &
  beside=$!
  chart || status=1
  wait "$beside" || status=1
  cat .data/monitoring.log
  return "$status"
}

# What a branch touches (.configs/changed.mjs); the chart's tests by themselves, since they ask for helm.
changed() {
  mkdir -p .data
  node .configs/changed.mjs >.data/changed
  set --
  while IFS= read -r file; do
    case $file in
      *.chart.test.ts) wants_chart=yes ;;
      *) set -- "$@" "$file" ;;
    esac
  done <.data/changed
  if [ "${wants_chart:-}" ]; then chart; fi
  if [ $# -gt 0 ]; then
    tests "$all" --runTestsByPath "$@"
  elif [ -z "${wants_chart:-}" ]; then
    printf 'Nothing that a test can see has changed.\n0 passed, 0 failed\n'
  fi
}

# Tests in quarantine (test/quarantine.json), each with a second try.
quarantine() {
  files=$(node -p 'JSON.parse(require("fs").readFileSync("test/quarantine.json")).map((entry) => entry.file).join("\n")')
  if [ -z "$files" ]; then
    printf 'No test is in quarantine.\n0 passed, 0 failed\n'
    return
  fi
  # shellcheck disable=SC2086
  GP_QUARANTINE=1 tests "$all" --runTestsByPath $files
}

# What strangers and insiders try against a running platform. `--minutes` makes the corpus of requests run so long, with
# nothing beside it that would disturb what is measured; `--seed` makes it another one.
attack() {
  while [ $# -gt 0 ]; do
    case "$1" in
      --minutes) export GP_ATTACK_MINUTES="$2" && shift 2 ;;
      --seed) export GP_ATTACK_SEED="$2" && shift 2 ;;
      *) break ;;
    esac
  done
  if [ "${GP_ATTACK_MINUTES:-}" ]; then set -- --runInBand "$@"; fi
  tests attack "$@"
}

# The chart's own tests, and Tilt's view of the Tiltfile where there is a Tilt. Their sum is the last line, or why they
# could not run.
chart() {
  if GP_HELM=$(sh .configs/tools.sh helm); then
    export GP_HELM
    without=''
    if GP_TILT=$(sh .configs/tools.sh tilt); then
      export GP_TILT
    else
      without="/test/platform/tiltfile.chart.test.ts"
      echo 'NOT RUN: the Tiltfile under Tilt itself, since there is no tilt here (see above).'
    fi
    if GP_REGISTRY=$(sh .configs/tools.sh registry); then
      export GP_REGISTRY
    else
      without="$without /test/platform/publish.chart.test.ts"
      echo 'NOT RUN: publishing to a registry of images, since none can be had here (see above).'
    fi
    # shellcheck disable=SC2086
    kinds chart "$@" --testPathIgnorePatterns /node_modules/ $without
  else
    echo 'NOT RUN: the tests of the chart, since no helm can be had here (see above).'
  fi
}

# Packages the chart, signs it and pushes it to a registry of images, and the image with it (.configs/publish.mjs).
publish_release() {
  GP_HELM=$(sh .configs/tools.sh helm)
  export GP_HELM
  exec node .configs/publish.mjs "$@"
}

# The image, built and then run for real: every service closed as in a cluster, a group paid through them.
image() {
  built=$(sh .configs/image.sh "$@")
  node test/platform/run-image.ts "$built"
}

# Metrics, dashboards and alerts: those that need no Prometheus run everywhere.
monitoring() {
  if GP_PROMTOOL=$(sh .configs/tools.sh promtool) && GP_PROMETHEUS=$(sh .configs/tools.sh prometheus); then
    export GP_PROMTOOL GP_PROMETHEUS
    kinds monitoring "$@" --runInBand
  else
    kinds monitoring metrics.monitoring
    echo 'NOT RUN: alerts under promtool and panels under Prometheus, since neither can be had here (see above).'
  fi
}

# Installs a Chromium when a test that will run drives one and the machine has none.
browser_for() {
  if kinds "$@" --listTests 2>/dev/null | grep -q '/test/browser/'; then sh .configs/chromium.sh >/dev/null; fi
}

lint() {
  mkdir -p .data
  status=0
  # Patterns in the file of rules count from its own folder, so generated files are named here.
  oxlint --config .configs/oxlint.jsonc --deny-warnings --ignore-pattern '**/generated/**' . || status=1
  prettier --config .configs/prettier.json --log-level warn --check . || status=1
  lint_interface || status=1
  return "$status"
}

# Both linters of the public interface work from files alone.
lint_interface() {
  REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
    redocly lint libs/reference/openapi.json --config .configs/redocly.yaml >.data/redocly.log 2>&1 ||
    { cat .data/redocly.log >&2; return 1; }
  spectral lint libs/reference/openapi.json --ruleset .configs/spectral.yaml --fail-severity=hint --quiet
}

# What may import what, and which packages a workspace declares.
boundaries() {
  depcruise --config .configs/boundaries.cjs libs services test
  node .configs/dependencies.mjs
}

# The pages and the bundles of the programs, before anything serves, starts or tests them.
build() {
  sh .configs/build.sh >&2 || return 1
  GP_BUNDLES="$PWD/dist"
  export GP_BUNDLES
}

# What pages may cost their visitors, gzipped (.configs/.size-limit.mjs).
budgets() {
  # A build from the cache is restored beside the files of an older one.
  rm -rf services/checkout/web/dist services/merchant-dashboard/web/dist
  build
  (cd .configs && size-limit)
}

# One program for everything Node runs, since each workspace by itself would load all the others again; then what runs in
# browsers. The compiler is TypeScript 7, which takes a third of the time; the lint rules need the library of TypeScript 6.
typecheck() {
  status=0
  for program in .configs/tsconfig.json test/browser services/psp-sandbox/src/browser libs/reference/src/browser services/*/web; do
    node node_modules/typescript-native/bin/tsc -p "$program" || status=1
  done
  return "$status"
}

# Merchants' commands, and the help on them, are the dashboard's, which owns what they change. The word is the first one
# that is no option of every command.
operator() {
  program=operator
  is_value=''
  for argument in "$@"; do
    if [ "$is_value" ]; then
      is_value=''
      continue
    fi
    case $argument in
      --operator-key) is_value=yes ;;
      -* | help) ;;
      merchants) program=merchant-dashboard && break ;;
      *) break ;;
    esac
  done
  exec node --no-warnings "services/$program/src/cli.ts" "$@"
}

word=${1:-}
[ $# -eq 0 ] || shift
case "$word" in
  setup) ;;
  start) build && exec node libs/stack/src/main.ts start "$@" ;;
  stop) exec node libs/stack/src/main.ts stop "$@" ;;
  demo) build && exec node test/demo/main.ts "$@" ;;
  # Tests wait as much as they compute: four at a time keep two cores busy.
  test) build && if [ $# -eq 0 ]; then tests "$daily" --maxWorkers=4; else tests "$all" "$@"; fi ;;
  test:long) build && tests long "$@" ;;
  test:all) build && everything ;;
  cluster) exec node --no-warnings test/cluster/main.ts "$@" ;;
  attack) build && attack "$@" ;;
  test:changed) build && changed ;;
  quarantine) build && quarantine ;;
  identities) exec node --no-warnings libs/stack/src/print-identities.ts "$@" ;;
  operator) operator "$@" ;;
  bench) build && exec node test/bench/main.ts "$@" ;;
  history) build && exec node test/history/main.ts "$@" ;;
  simulate) exec node --no-warnings test/simulation/main.ts "$@" ;;
  contract) build && exec node test/contract/main.ts ;;
  clients) exec node libs/clients/package.ts "$@" ;;
  audit) exec sh .configs/audit.sh ;;
  generate) exec node .configs/generate.mjs ;;
  pin-bases) exec sh .configs/pin-bases.sh ;;
  release) exec node .configs/release.mjs "$@" ;;
  publish-release) publish_release "$@" ;;
  chart | monitoring | image) build && "$word" "$@" ;;
  build | budgets | lint | boundaries | typecheck) "$word" ;;
  check) exec .ci/run "$@" ;;
  *)
    echo "usage: run.sh setup|build|start|stop|demo|operator|identities|test|test:all|test:long|test:changed|attack|cluster|quarantine|bench|history|simulate|contract|chart|monitoring|image|clients|pin-bases|release|publish-release|audit|budgets|lint|boundaries|typecheck|generate|check" >&2
    exit 64
    ;;
esac
