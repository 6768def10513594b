{{/* What every container may do: nothing. */}}
{{- define "gp.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* What every pod has: {root, account}. No token, since nothing of ours speaks to the cluster. */}}
{{- define "gp.podBasics" -}}
serviceAccountName: {{ .account }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
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
securityContext: {{- include "gp.containerSecurity" . | nindent 2 }}
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
