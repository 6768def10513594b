#!/bin/sh
# What the buttons do: `sh tilt/buttons.sh pay|break|mend|replay|reset [resources]`, through the ports that Tilt forwards.
set -eu
cd "$(dirname "$0")/.."
. .configs/setup.sh

sandbox=http://localhost:8090
# The token of k8s/dev/secrets.yaml.
token='authorization: Bearer development-only-not-a-secret-token'
export NATS_URL=${NATS_URL:-nats://localhost:4222}
NATS_NKEY_SEED=${NATS_NKEY_SEED:-$(sed -n 's/^  operator: //p' k8s/dev/nats-identities.yaml)}
export NATS_NKEY_SEED
# The private half of FIRST_OPERATOR in charts/group-payments/examples/dev.yaml; for a developer's own cluster and nothing else.
export OPERATOR_KEY=${OPERATOR_KEY:-SOAMPFDYE7HNET3MXVGG7T6VMRANSAWFXXNU7224IPBAB6TIKVVCSCQASY}

pay() {
  API_URL=http://localhost:8080 DASHBOARD_URL=http://localhost:8082 SANDBOX_URL=$sandbox \
    node services/installation/src/demo-group.ts
}

# Captures fail at every gateway, and are tried again.
break_gateways() {
  for gateway in $(node -p "require('@gp/gateway-registry').pspCodes.join(' ')"); do
    curl -fsS -H 'content-type: application/json' -H "$token" "$sandbox/control/faults" \
      -d "{ \"gateway\": \"$gateway\", \"operation\": \"capture\", \"fault\": \"http_500\", \"times\": 20 }"
  done
}

mend_gateways() { curl -fsS -X DELETE -H "$token" "$sandbox/control/faults"; }

operator() { node --no-warnings services/operator/src/cli.ts "$@"; }

# Each once; one that died just now is refused, and so is this as a whole.
replay() {
  letters=$(operator dead-letters list --json |
    node -p 'JSON.parse(fs.readFileSync(0)).letters.map(({ service, id }) => `${service} ${id}`).join("\n")')
  refused=0
  while read -r service letter; do
    [ -z "$service" ] && echo 'No message was given up.' && continue
    operator dead-letters replay --service "$service" --letter "$letter" </dev/null || refused=1
  done <<EOF
$letters
EOF
  return $refused
}

# Both servers keep their data in the pod. On empty ones, the named resources of Tilt make schemas and streams, and every
# service waits for these as it starts.
reset() {
  kubectl rollout restart deployment/postgres deployment/nats
  kubectl rollout status deployment/postgres
  kubectl rollout status deployment/nats
  for task in "$@"; do tilt trigger "$task"; done
  kubectl rollout restart deployment --selector app.kubernetes.io/part-of=group-payments
}

word=${1:-}
[ $# -eq 0 ] || shift
case "$word" in
  pay | replay | reset) "$word" "$@" ;;
  break | mend) "${word}_gateways" ;;
  *)
    echo 'usage: buttons.sh pay|break|mend|replay|reset' >&2
    exit 64
    ;;
esac
