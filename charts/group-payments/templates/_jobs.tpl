{{- define "gp.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
{{- end }}

{{/*
The account of the tasks. As hooks they have another one than as plain Jobs: Helm owns objects of a release and never owns hooks, so one name
for both would keep a release from changing between them.
*/}}
{{- define "gp.installationAccount" -}}
{{ include "gp.fullname" . }}-{{ ternary "installation" "tasks" (include "gp.servers" . | fromJson).asHooks }}
{{- end }}

{{/* A task that runs once: {root, name, entry, env, account, labels, weight}. A plain Job is another one at each revision. */}}
{{- define "gp.job" -}}
{{- $values := .root.Values.migrations }}{{ $asHooks := (include "gp.servers" .root | fromJson).asHooks }}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "gp.fullname" .root }}-{{ .name }}{{ if not $asHooks }}-{{ .root.Release.Revision }}{{ end }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- .labels | nindent 4 }}
  {{- if $asHooks }}
  annotations:
    {{- include "gp.hook" .weight | nindent 4 }}
    # What has succeeded goes, so that nothing is left after an uninstall; Helm prints its log, and that of what failed.
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
    helm.sh/hook-output-log-policy: hook-succeeded,hook-failed
  {{- end }}
spec:
  backoffLimit: 6
  activeDeadlineSeconds: {{ $values.deadlineSeconds }}
  ttlSecondsAfterFinished: 86400
  template:
    metadata:
      labels: {{- .labels | nindent 8 }}
    spec:
      {{- include "gp.podBasics" . | nindent 6 }}
      restartPolicy: Never
      containers:
        - name: task
          image: {{ include "gp.image" .root }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: [{{ .entry }}]
          env: {{- toYaml .env | nindent 12 }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- include "gp.containerSecurity" . | nindent 12 }}
          {{- include "gp.mounts" . | nindent 10 }}
      {{- include "gp.volumes" . | nindent 6 }}
{{- end }}
