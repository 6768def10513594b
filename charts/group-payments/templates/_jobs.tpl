{{- define "gp.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
{{- end }}

{{/* The annotations of a task that is a hook. What has succeeded goes, so that nothing is left after an uninstall. Given its weight. */}}
{{- define "gp.passingHook" -}}
{{ include "gp.hook" . }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{/* The same of a Job, whose log Helm prints, also where it failed. */}}
{{- define "gp.jobHook" -}}
{{ include "gp.passingHook" . }}
helm.sh/hook-output-log-policy: hook-succeeded,hook-failed
{{- end }}

{{/*
The account of the tasks. As hooks they have another one than as plain Jobs: Helm owns objects of a release and never owns hooks, so one name
for both would keep a release from changing between them.
*/}}
{{- define "gp.installationAccount" -}}
{{ include "gp.fullname" . }}-{{ ternary "installation" "tasks" (include "gp.servers" . | fromJson).asHooks }}
{{- end }}

{{/* A task that runs once: {root, name, entry, env, account, weight}. A plain Job is another one at each revision. */}}
{{- define "gp.job" -}}
{{- $values := include "gp.taskValues" .root | fromJson }}{{ $asHooks := (include "gp.servers" .root | fromJson).asHooks }}
{{- $own := list }}{{ range .env }}{{ $own = append $own .name }}{{ end }}
{{- include "gp.refuseOwn" (dict "values" $values "own" $own "of" "migrations" "place" "the values") }}
{{- $full := printf "%s-%s" (include "gp.fullname" .root) .name }}{{ if not $asHooks }}{{ $full = printf "%s-%d" $full (int .root.Release.Revision) }}{{ end }}
{{- $annotations := dict }}{{ if $asHooks }}{{ $annotations = include "gp.jobHook" .weight | fromYaml }}{{ end }}
---
apiVersion: batch/v1
kind: Job
metadata: {{- include "gp.metadata" (dict "root" .root "name" "installation" "full" $full "annotations" $annotations) | nindent 2 }}
spec:
  backoffLimit: 6
  activeDeadlineSeconds: {{ $values.deadlineSeconds }}
  ttlSecondsAfterFinished: 86400
  template:
    metadata: {{- include "gp.podMetadata" (dict "root" .root "name" "installation" "values" $values) | nindent 6 }}
    spec:
      {{- include "gp.podBasics" (dict "root" .root "account" .account "values" $values) | nindent 6 }}
      restartPolicy: Never
      containers:
        - name: task
          image: {{ include "gp.image" .root }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: [{{ .entry }}]
          env:
            {{- toYaml .env | nindent 12 }}
            {{- include "gp.trust" .root | nindent 12 }}
            {{- include "gp.extraEnvironment" $values | nindent 10 }}
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- toYaml $values.containerSecurityContext | nindent 12 }}
          {{- include "gp.mounts" (dict "root" .root "values" $values) | nindent 10 }}
      {{- include "gp.volumes" (dict "root" .root "values" $values) | nindent 6 }}
{{- end }}
