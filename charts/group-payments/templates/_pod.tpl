{{/*
What every pod has: {root, account, values}. No token, since nothing of ours speaks to the cluster. Fields of the values are handed on as they are.
*/}}
{{- define "gp.podBasics" -}}
serviceAccountName: {{ .account }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- $named := dict "securityContext" .values.podSecurityContext "initContainers" .values.extraInitContainers }}
{{- range $field, $value := merge $named (pick .values "hostAliases" "dnsPolicy" "dnsConfig" "priorityClassName" "nodeSelector" "tolerations" "affinity") }}
{{- with $value }}
{{ $field }}: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* The metadata of a pod in a template: {root, name, values, annotations}. */}}
{{- define "gp.podMetadata" -}}
labels: {{- include "gp.labels" (dict "root" .root "name" .name "more" .values.podLabels) | nindent 2 }}
{{- with merge (deepCopy (.annotations | default dict)) (deepCopy (.values.podAnnotations | default dict)) }}
annotations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* What the values add to the environment of a container, after the chart's own variables. */}}
{{- define "gp.extraEnvironment" -}}
{{- with .extraEnv }}{{ toYaml . | nindent 2 }}{{ end }}
{{- with .extraEnvFrom }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "gp.probe" -}}
httpGet: { path: {{ .path }}, port: metrics }
periodSeconds: {{ .period }}
timeoutSeconds: {{ .timeout }}
failureThreshold: {{ .failures }}
{{- end }}

{{/*
startup: settings valid, database and bus seen once, streams made. ready: can take new work now. live: the event loop answers, whatever
the database, the bus or a gateway do.
*/}}
{{- define "gp.container" -}}
{{- $process := .process -}}
name: service
image: {{ include "gp.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [--max-semi-space-size=8, {{ $process.folder }}/src/main.js]
env:
  {{- include "gp.environment" . | nindent 2 }}
  {{- include "gp.extraEnvironment" $process.values }}
ports:
  - { name: metrics, containerPort: 9464 }
  {{- range $name, $port := $process.ports }}
  - { name: {{ $name }}, containerPort: {{ $port.number }} }
  {{- end }}
startupProbe: {{- include "gp.probe" (dict "path" "/startupz" "period" 2 "timeout" 2 "failures" 90) | nindent 2 }}
readinessProbe: {{- include "gp.probe" (dict "path" "/readyz" "period" 5 "timeout" 2 "failures" 2) | nindent 2 }}
livenessProbe: {{- include "gp.probe" (dict "path" "/livez" "period" 10 "timeout" 5 "failures" 6) | nindent 2 }}
lifecycle:
  preStop: { sleep: { seconds: {{ $process.values.shutdown.preStopSeconds }} } }
resources: {{- toYaml $process.values.resources | nindent 2 }}
securityContext: {{- toYaml $process.values.containerSecurityContext | nindent 2 }}
{{- include "gp.mounts" . }}
{{- end }}

{{- define "gp.spread" -}}
{{- $selector := include "gp.selector" (dict "root" .root "name" .process.name) }}
{{- range $key, $policy := dict "topology.kubernetes.io/zone" .process.values.spread.zones "kubernetes.io/hostname" .process.values.spread.hosts }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: {{ $policy }}
  matchLabelKeys: [pod-template-hash]
  labelSelector:
    matchLabels: {{- $selector | nindent 6 }}
{{- end }}
{{- end }}
