{{/*
The database's address with a role in it and no password, which the driver takes from PGPASSWORD; with the authority of
the server's certificate where there is one.
*/}}
{{- define "gp.databaseUrl" -}}
{{- $postgres := .root.Values.postgres -}}
{{- regexReplaceAll "^(postgres(?:ql)?://)" $postgres.url (printf "${1}%s@" .role) -}}
{{- if $postgres.caSecret }}{{ ternary "&" "?" (contains "?" $postgres.url) }}sslmode=verify-full&sslrootcert=/etc/postgres-ca/ca.crt{{ end -}}
{{- end }}

{{/* Where containers find the authority of the database's certificate, and the volume that has it. */}}
{{- define "gp.authorityMount" -}}
{{- if .Values.postgres.caSecret }}
volumeMounts:
  - { name: postgres-ca, mountPath: /etc/postgres-ca, readOnly: true }
{{- end }}
{{- end }}
{{- define "gp.authorityVolume" -}}
{{- with .Values.postgres.caSecret }}
volumes:
  - name: postgres-ca
    secret: { secretName: {{ . }}, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- end }}

{{- define "gp.fromSecret" -}}
- name: {{ .setting }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end }}

{{/* The environment of a process: secrets by reference, then what the chart sets, overlaid by the values' settings. */}}
{{- define "gp.environment" -}}
{{- $root := .root }}{{ $process := .process -}}
{{ include "gp.fromSecret" (dict "setting" "PGPASSWORD" "secret" $root.Values.postgres.secret "key" $process.schema) }}
{{- if $process.seals }}
{{ include "gp.fromSecret" (dict "setting" "ENCRYPTION_KEY" "secret" $root.Values.keys.secret "key" (printf "encryption-key-%s" $process.name)) }}
{{ include "gp.fromSecret" (dict "setting" "PREVIOUS_ENCRYPTION_KEYS" "secret" $root.Values.keys.secret "key" (printf "previous-encryption-keys-%s" $process.name) "optional" true) }}
{{- end }}
{{- $keys := $process.keys | default list }}{{ if $root.Values.sandbox.enabled }}{{ $keys = concat $keys ($process.keysForSandbox | default list) }}{{ end }}
{{- range $keys }}
{{ include "gp.fromSecret" (dict "setting" . "secret" $root.Values.keys.secret "key" (lower . | replace "_" "-")) }}
{{- end }}
{{- range $process.optionalKeys }}
{{ include "gp.fromSecret" (dict "setting" . "secret" $root.Values.keys.secret "key" (lower . | replace "_" "-") "optional" true) }}
{{- end }}
{{- range $setting, $value := include "gp.plainSettings" . | fromYaml }}
- name: {{ $setting }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "gp.plainSettings" -}}
{{- $root := .root }}{{ $process := .process -}}
{{- $set := dict "DATABASE_URL" (include "gp.databaseUrl" (dict "root" $root "role" $process.schema)) "NATS_URL" $root.Values.nats.url "METRICS_HOST" "0.0.0.0" "METRICS_PORT" "9464" }}
{{- with $root.Values.telemetry.otlpEndpoint }}{{ $_ := set $set "OTEL_EXPORTER_OTLP_ENDPOINT" . }}{{ end }}
{{- with $process.ports }}{{ $_ := set $set "HOST" "0.0.0.0" }}{{ end }}
{{- range $process.ports }}{{ $_ := set $set .setting (toString .number) }}{{ end }}
{{- range $setting, $template := $process.set }}{{ $_ := set $set $setting (tpl $template $root) }}{{ end }}
{{- if $root.Values.sandbox.enabled }}
{{- range $setting, $template := $process.setForSandbox }}{{ $_ := set $set $setting (tpl $template $root) }}{{ end }}
{{- end }}
{{- range $setting, $value := $process.values.settings }}
{{- $_ := set $set $setting (ternary (printf "%.0f" $value) (toString $value) (and (kindIs "float64" $value) (eq (floor $value) $value))) }}
{{- end }}
{{- range $setting, $value := $set }}
{{- if ne $value "" }}
{{ $setting }}: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end }}
