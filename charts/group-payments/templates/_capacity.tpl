{{/*
The replicas that a Deployment asks for; nothing where an autoscaler says it. An upgrade that switches the autoscaler on repeats what runs
now: Helm still has the field from the release before, and without it the Deployment would fall to one. Later Helm no longer has it, except
where it computes its changes by itself, which only the creator of `selector` by `Update` does. {root, process}
*/}}
{{- define "gp.replicas" -}}
{{- if not (include "gp.isScaled" .) }}{{ .process.values.replicas }}
{{- else }}
{{- $name := printf "%s-%s" (include "gp.fullname" .root) .process.name }}
{{- $live := lookup "apps/v1" "Deployment" .root.Release.Namespace $name | default dict }}
{{- $isHelms := false }}
{{- range ($live.metadata | default dict).managedFields }}
{{- $spec := get (.fieldsV1 | default dict) "f:spec" | default dict }}
{{- if and (not .subresource) (or (and (eq .operation "Apply") (hasKey $spec "f:replicas")) (and (eq .operation "Update") (hasKey $spec "f:selector"))) }}
{{- $isHelms = true }}
{{- end }}
{{- end }}
{{- if $isHelms }}{{ $live.spec.replicas }}{{ end }}
{{- end }}
{{- end }}

{{/* The most replicas a process has at rest. {root, process} */}}
{{- define "gp.mostReplicas" -}}
{{- if not (include "gp.isScaled" .) }}{{ .process.values.replicas }}
{{- else if eq .process.name "webhook-dispatcher" }}{{ .root.Values.webhookScaling.maxReplicas }}
{{- else }}{{ .process.values.autoscaling.maxReplicas }}{{ end }}
{{- end }}

{{/*
Connections that a release opens to Postgres at most: every process at its most replicas with one more during an upgrade, each with a full
pool, unless a pooler has it, and, where it has an outbox, the connection of its relay; and those of the migrations.
*/}}
{{- define "gp.mostConnections" -}}
{{- $root := . }}
{{- $processes := include "gp.processes" . | fromJson }}
{{- $pools := .Files.Get "pools.yaml" | fromYaml }}
{{- $sum := ternary 1 (len $processes) (include "gp.servers" . | fromJson).asHooks }}
{{- range $name, $process := $processes }}
{{- $replicas := add1 (include "gp.mostReplicas" (dict "root" $root "process" $process) | int) }}
{{- $relay := ternary 1 0 (has "libs/outbox/migrations" $process.migrations) }}
{{- $pool := get ($process.values.settings | default dict) "DATABASE_CONNECTIONS" | default (get $pools $name) | int }}
{{- if $root.Values.postgres.poolerUrl }}{{ $pool = 0 }}{{ end }}
{{- $sum = add $sum (mul $replicas (add $pool $relay)) }}
{{- end }}
{{- $sum }}
{{- end }}
