{{- define "gp.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation
{{- end }}

{{/* A task that runs once: {root, name, entry, env, account, labels, weight}. A plain Job is another one at each revision. */}}
{{- define "gp.job" -}}
{{- $values := .root.Values.migrations }}
---
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ include "gp.fullname" .root }}-{{ .name }}{{ if not $values.asHooks }}-{{ .root.Release.Revision }}{{ end }}
  namespace: {{ .root.Release.Namespace }}
  labels: {{- .labels | nindent 4 }}
  {{- if $values.asHooks }}
  annotations: {{- include "gp.hook" .weight | nindent 4 }}
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
          {{- include "gp.authorityMounts" .root | nindent 10 }}
      {{- include "gp.authorityVolumes" .root | nindent 6 }}
{{- end }}
