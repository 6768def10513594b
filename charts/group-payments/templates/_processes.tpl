{{/*
Lays values over others, which it changes, key by key: {over, under}. What is empty, such as 0 or false, is said like anything else; null takes a
key away; a list replaces a list.
*/}}
{{- define "gp.lay" -}}
{{- $under := .under }}
{{- range $key, $value := .over }}
{{- if kindIs "invalid" $value }}{{ $_ := unset $under $key }}
{{- else if and (kindIs "map" $value) (kindIs "map" (get $under $key)) }}{{ include "gp.lay" (dict "over" $value "under" (get $under $key)) }}
{{- else }}{{ $_ := set $under $key $value }}
{{- end }}
{{- end }}
{{- end }}

{{/*
Every process that runs, as JSON: what processes.yaml and gateways.yaml know of it, and `values`, its entry of the values over the
defaults. Read with `include "gp.processes" . | fromJson`.
*/}}
{{- define "gp.processes" -}}
{{- $running := dict }}
{{- $all := merge (.Files.Get "gateways.yaml" | fromYaml) (.Files.Get "processes.yaml" | fromYaml) }}
{{- range $name, $known := $all }}
{{- if or $.Values.sandbox.enabled (not $known.isSandbox) }}
{{- $values := deepCopy $.Values.defaults }}
{{- $_ := include "gp.lay" (dict "over" (deepCopy (get $.Values.services $name | default dict)) "under" $values) }}
{{- $_ := set $running $name (merge (dict "name" $name "values" $values) $known) }}
{{- end }}
{{- end }}
{{- toJson $running }}
{{- end }}

{{/*
The values of a pod that is none of a process, as JSON: its own over what `defaults` says of any pod. {root, over}
*/}}
{{- define "gp.podValues" -}}
{{- $values := deepCopy (pick .root.Values.defaults "podSecurityContext" "containerSecurityContext" "hostAliases" "dnsPolicy" "dnsConfig") }}
{{- $_ := include "gp.lay" (dict "over" (deepCopy .over) "under" $values) }}
{{- toJson $values }}
{{- end }}

{{/* The values of the tasks' pods, as JSON. */}}
{{- define "gp.taskValues" -}}
{{ include "gp.podValues" (dict "root" . "over" .Values.migrations) }}
{{- end }}

{{/* True for a process whose replicas an autoscaler counts. */}}
{{- define "gp.isScaled" -}}
{{- if eq .process.name "webhook-dispatcher" }}{{ if .root.Values.webhookScaling.enabled }}true{{ end }}
{{- else if .process.values.autoscaling.enabled }}true{{ end }}
{{- end }}

{{/* The least number of replicas a process has. */}}
{{- define "gp.leastReplicas" -}}
{{- if not (include "gp.isScaled" .) }}{{ .process.values.replicas }}
{{- else if eq .process.name "webhook-dispatcher" }}{{ .root.Values.webhookScaling.minReplicas }}
{{- else }}{{ .process.values.autoscaling.minReplicas }}{{ end }}
{{- end }}
