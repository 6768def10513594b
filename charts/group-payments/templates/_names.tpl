{{- define "gp.name" -}}
{{ .Values.nameOverride | default .Chart.Name }}
{{- end }}

{{- define "gp.fullname" -}}
{{- $name := include "gp.name" . }}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride }}
{{- else if contains $name .Release.Name }}{{ .Release.Name }}
{{- else }}{{ .Release.Name }}-{{ $name }}{{ end -}}
{{- end }}

{{- define "gp.selector" -}}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "gp.ownLabels" -}}
{{ include "gp.selector" . }}
app.kubernetes.io/name: {{ include "gp.name" .root }}
app.kubernetes.io/part-of: group-payments
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* The labels of an object: the chart's, those of the values for all objects, and `more` of this one. {root, name, more} */}}
{{- define "gp.labels" -}}
{{- $labels := include "gp.ownLabels" . | fromYaml }}
{{- toYaml (merge $labels (deepCopy .root.Values.commonLabels) (deepCopy (.more | default dict))) }}
{{- end }}

{{/*
The metadata of an object: {root, name, full, more, annotations}. `name` is the component that it belongs to and `full` its own name; `more` labels
and the annotations are beside those of the values for all objects.
*/}}
{{- define "gp.metadata" -}}
name: {{ .full }}
namespace: {{ .root.Release.Namespace }}
labels: {{- include "gp.labels" . | nindent 2 }}
{{- with merge (deepCopy (.annotations | default dict)) (deepCopy .root.Values.commonAnnotations) }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
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
