{{/*
The database's address with a role in it and no password, which the driver takes from PGPASSWORD; with the authority of
the server's certificate where there is one.
*/}}
{{- define "gp.databaseUrl" -}}
{{- $postgres := .root.Values.postgres -}}
{{- regexReplaceAll "^(postgres(?:ql)?://)" $postgres.url (printf "${1}%s@" .role) -}}
{{- if $postgres.caSecret }}{{ ternary "&" "?" (contains "?" $postgres.url) }}sslmode=verify-full&sslrootcert=/etc/postgres-ca/ca.crt{{ end -}}
{{- end }}

{{/*
The certificates of the authorities that signed the database's and NATS' own, each alone: the secret of NATS also has the seeds of
all processes.
*/}}
{{- define "gp.authorities" -}}
{{- with .Values.postgres.caSecret }}
postgres-ca: {{ . }}
{{- end }}
{{- if include "gp.hasNatsCa" . }}
nats-ca: {{ .Values.nats.secret }}
{{- end }}
{{- end }}

{{- define "gp.authorityMounts" -}}
{{- with include "gp.authorities" . | fromYaml }}
volumeMounts:
  {{- range $name, $secret := . }}
  - { name: {{ $name }}, mountPath: /etc/{{ $name }}, readOnly: true }
  {{- end }}
{{- end }}
{{- end }}

{{- define "gp.authorityVolumes" -}}
{{- with include "gp.authorities" . | fromYaml }}
volumes:
  {{- range $name, $secret := . }}
  - name: {{ $name }}
    secret: { secretName: {{ $secret }}, items: [{ key: ca.crt, path: ca.crt }] }
  {{- end }}
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
{{ include "gp.fromSecret" (dict "setting" "NATS_NKEY_SEED" "secret" $root.Values.nats.secret "key" $process.name) }}
{{- if $process.seals }}
{{ include "gp.fromSecret" (dict "setting" "ENCRYPTION_KEY" "secret" $root.Values.keys.secret "key" (printf "encryption-key-%s" $process.name)) }}
{{ include "gp.fromSecret" (dict "setting" "PREVIOUS_ENCRYPTION_KEYS" "secret" $root.Values.keys.secret "key" (printf "previous-encryption-keys-%s" $process.name) "optional" true) }}
{{- end }}
{{- $keys := $process.keys | default list }}{{ if $root.Values.sandbox.enabled }}{{ $keys = concat $keys ($process.keysForSandbox | default list) }}{{ end }}
{{- if $root.Values.mail.user }}{{ $keys = concat $keys ($process.keysForMail | default list) }}{{ end }}
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

{{/* Where the bus is, and whose certificates it must show. */}}
{{- define "gp.natsSettings" -}}
NATS_URL: {{ .Values.nats.url | quote }}
{{- if include "gp.hasNatsCa" . }}
NATS_CA_FILE: /etc/nats-ca/ca.crt
{{- end }}
{{- if contains "nats://" .Values.nats.url }}
ALLOW_PLAIN_NATS: 'true'
{{- end }}
{{- end }}

{{- define "gp.hasNatsCa" -}}
{{- if and .Values.nats.ownAuthority (contains "tls://" .Values.nats.url) }}true{{ end -}}
{{- end }}

{{- define "gp.plainSettings" -}}
{{- $root := .root }}{{ $process := .process -}}
{{- $set := dict "DATABASE_URL" (include "gp.databaseUrl" (dict "root" $root "role" $process.schema)) "METRICS_HOST" "0.0.0.0" "METRICS_PORT" "9464" }}
{{- $set = merge $set (include "gp.natsSettings" $root | fromYaml) }}
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
