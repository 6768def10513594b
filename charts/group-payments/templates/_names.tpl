{{- define "gp.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-{{ .Chart.Name }}{{ end -}}
{{- end }}

{{- define "gp.selector" -}}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "gp.labels" -}}
{{ include "gp.selector" . }}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/part-of: group-payments
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "gp.image" -}}
{{- $tag := .Values.image.tag | default .Chart.AppVersion -}}
{{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ $tag }}{{ end }}
{{- end }}

{{/* The address under which the outside reaches one of the hosts: (list root "checkout"). */}}
{{- define "gp.url" -}}
{{- $root := index . 0 }}{{ $host := index . 1 -}}
{{- get $root.Values.urls $host | default (printf "https://%s" (get $root.Values.hosts $host)) -}}
{{- end }}

{{/*
Where browsers reach an adapter, of `list root name`: the address of all callbacks; on localhost, where each adapter is a port-forward
of its own, the ports count up from there by name.
*/}}
{{- define "gp.adapterUrl" -}}
{{- $root := index . 0 }}{{ $name := index . 1 -}}
{{- $url := include "gp.url" (list $root "callbacks") -}}
{{- $port := regexFind "^http://localhost:[0-9]+$" $url | trimPrefix "http://localhost:" | int -}}
{{- if $port }}
{{- range $other, $process := include "gp.processes" $root | fromJson }}
{{- if and $process.hearsSandbox (lt $other $name) }}{{ $port = add1 $port }}{{ end }}
{{- end }}
{{- $url = printf "http://localhost:%d" (int $port) }}
{{- end }}
{{- $url -}}
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
{{- $values := merge (deepCopy (get $.Values.services $name | default dict)) (deepCopy $.Values.defaults) }}
{{- $_ := set $running $name (merge (dict "name" $name "values" $values) $known) }}
{{- end }}
{{- end }}
{{- toJson $running }}
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
