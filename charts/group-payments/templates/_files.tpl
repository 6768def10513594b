{{/*
The files of secrets that a container of ours reads, as JSON by the volume that has them: {kind, name, items}. Each volume has only these keys, since
the secret of NATS also has the seeds of all processes. {root, process}; a task, without a process, sends no traces and unwraps no key.
*/}}
{{- define "gp.files" -}}
{{- $v := .root.Values }}{{ $servers := include "gp.servers" .root | fromJson }}
{{- $natsSecret := "" }}{{ if include "gp.hasNatsCa" .root }}{{ $natsSecret = $servers.nats.secret }}{{ end }}
{{- $wanted := list
  (dict "volume" "postgres-ca" "of" $servers.postgres "secret" $servers.postgres.caSecret)
  (dict "volume" "nats-ca" "of" $servers.nats "secret" $natsSecret)
  (dict "volume" "trust-ca" "of" $v.trust "secret" ($v.trust.caSecret | default $v.trust.caConfigMap) "kind" (ternary "Secret" "ConfigMap" (not (empty $v.trust.caSecret))))
}}
{{- if .process }}
{{- $wanted = append $wanted (dict "volume" "otlp-ca" "of" $v.telemetry "secret" $v.telemetry.caSecret) }}
{{- $wanted = append $wanted (dict "volume" "otlp-client" "of" $v.telemetry "secret" $v.telemetry.clientSecret "keys" (list "tls.crt" "tls.key")) }}
{{- end }}
{{- if include "gp.usesKms" . }}{{ $wanted = append $wanted (dict "volume" "kms-ca" "of" $v.kms "secret" $v.kms.caSecret) }}{{ end }}
{{- $files := dict }}
{{- range $wanted }}{{ if .secret }}
{{- $one := . }}{{ $items := list }}{{ $name := "" }}
{{- range .keys | default (list "ca.crt") }}
{{- $ref := include "gp.ref" (dict "of" $one.of "secret" $one.secret "key" .) | fromJson }}
{{- $name = $ref.name }}{{ $items = append $items (dict "key" $ref.key "path" .) }}
{{- end }}
{{- $_ := set $files .volume (dict "kind" (.kind | default "Secret") "name" $name "items" $items) }}
{{- end }}{{ end }}
{{- toJson $files }}
{{- end }}

{{- define "gp.hasMailbox" -}}
{{- if and .root.Values.mail.mailbox .process }}{{ if .process.hasMailbox }}true{{ end }}{{ end -}}
{{- end }}

{{/*
What a container of ours has mounted: files of secrets, for a KMS the token of the pod's account, for the dashboard its mailbox, and what the values
add. {root, process, values}, without a process for a task.
*/}}
{{- define "gp.mounts" -}}
{{- $mounts := list }}
{{- range $name, $_ := include "gp.files" . | fromJson }}
{{- $mounts = append $mounts (dict "name" $name "mountPath" (printf "/etc/%s" $name) "readOnly" true) }}
{{- end }}
{{- if include "gp.hasMailbox" . }}{{ $mounts = append $mounts (dict "name" "mailbox" "mountPath" "/var/mailbox") }}{{ end }}
{{- if include "gp.usesKms" . }}{{ $mounts = append $mounts (dict "name" "kms-token" "mountPath" "/var/run/secrets/kms" "readOnly" true) }}{{ end }}
{{- with concat $mounts (.values.extraVolumeMounts | default list) }}
volumeMounts: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "gp.volumes" -}}
{{- $volumes := list }}
{{- range $name, $files := include "gp.files" . | fromJson }}
{{- $source := ternary (dict "configMap" (dict "name" $files.name "items" $files.items)) (dict "secret" (dict "secretName" $files.name "items" $files.items)) (eq $files.kind "ConfigMap") }}
{{- $volumes = append $volumes (merge (dict "name" $name) $source) }}
{{- end }}
{{- if include "gp.hasMailbox" . }}{{ $volumes = append $volumes (dict "name" "mailbox" "emptyDir" (dict "sizeLimit" "64Mi")) }}{{ end }}
{{- if include "gp.usesKms" . }}{{ $volumes = append $volumes (include "gp.kmsToken" .root | fromYaml) }}{{ end }}
{{- with concat $volumes (.values.extraVolumes | default list) }}
volumes: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
