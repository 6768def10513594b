{{/*
Where the servers are, which secrets open them, and whether the migrations are hooks, as JSON: what the values say, or the servers of the release
itself, for which the names follow from the release. Those start with the release, so no hook may wait for them.
*/}}
{{- define "gp.servers" -}}
{{- $full := include "gp.fullname" . }}
{{- $postgres := deepCopy .Values.postgres }}{{ $nats := deepCopy .Values.nats }}{{ $keys := deepCopy .Values.keys }}
{{- if .Values.bundled.enabled }}
{{- $_ := set $postgres "url" (printf "postgres://%s-postgres:5432/payments" $full) }}
{{- $_ := set $postgres "secret" ($postgres.secret | default (printf "%s-postgres" $full)) }}
{{- $_ := set $postgres "adminSecret" ($postgres.adminSecret | default (printf "%s-postgres-admin" $full)) }}
{{- $nats = merge (dict "url" (printf "nats://%s-nats:4222" $full) "replicas" .Values.bundled.nats.servers) $nats }}
{{- $_ := set $nats "secret" ($nats.secret | default (printf "%s-nats" $full)) }}
{{- $_ := set $keys "secret" ($keys.secret | default (printf "%s-keys" $full)) }}
{{- end }}
{{- dict "postgres" $postgres "nats" $nats "keys" $keys "asHooks" (and .Values.migrations.asHooks (not .Values.bundled.enabled)) | toJson }}
{{- end }}

{{/*
An address of the database, with a role in it and no password, which the driver takes from PGPASSWORD; with the authority of
the server's certificate where there is one. {root, url, role}
*/}}
{{- define "gp.databaseUrl" -}}
{{- $postgres := (include "gp.servers" .root | fromJson).postgres -}}
{{- regexReplaceAll "^(postgres(?:ql)?://)" .url (printf "${1}%s@" .role) -}}
{{- if $postgres.caSecret }}{{ ternary "&" "?" (contains "?" .url) }}sslmode=verify-full&sslrootcert=/etc/postgres-ca/ca.crt{{ end -}}
{{- end }}

{{/* A variable that comes from a secret: {setting, name, key, optional}. */}}
{{- define "gp.fromSecret" -}}
name: {{ .setting }}
valueFrom:
  secretKeyRef:
    name: {{ .name }}
    key: {{ .key }}
    {{- if .optional }}
    optional: true
    {{- end }}
{{- end }}

{{/* The same, of a key as the chart calls it: {setting, of, secret, key}. */}}
{{- define "gp.variable" -}}
{{ include "gp.fromSecret" (merge (include "gp.ref" . | fromJson) (dict "setting" .setting)) }}
{{- end }}

{{/*
The environment of a process: secrets by reference, then what the chart sets, overlaid by the values' settings. Node takes the certificates of
NODE_EXTRA_CA_CERTS beside those that it trusts by itself, except for a server that has a file of its own.
*/}}
{{- define "gp.environment" -}}
{{- range include "gp.secretSettings" . | fromJsonArray }}
- {{- include "gp.fromSecret" . | nindent 2 }}
{{- end }}
{{- range $setting, $value := include "gp.plainSettings" . | fromYaml }}
- name: {{ $setting }}
  value: {{ $value | quote }}
{{- end }}
{{- include "gp.trust" .root }}
{{- end }}

{{- define "gp.trust" -}}
{{- if or .Values.trust.caSecret .Values.trust.caConfigMap }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/trust-ca/ca.crt
{{- end }}
{{- end }}

{{/* Fails where the values add a variable that is the chart's to set: {values, own, of, place}. */}}
{{- define "gp.refuseOwn" -}}
{{- range .values.extraEnv }}
{{- if has .name $.own }}{{ fail (printf "\n\n`extraEnv` of %s has %s, which the chart sets: it belongs in %s, or in the value that it is derived from.\n" $.of .name $.place) }}{{ end }}
{{- end }}
{{- end }}

{{/* Where the bus is, and whose certificates it must show. */}}
{{- define "gp.natsSettings" -}}
{{- $nats := (include "gp.servers" . | fromJson).nats -}}
NATS_URL: {{ $nats.url | quote }}
{{- if include "gp.hasNatsCa" . }}
NATS_CA_FILE: /etc/nats-ca/ca.crt
{{- end }}
{{- if contains "nats://" $nats.url }}
ALLOW_PLAIN_NATS: 'true'
{{- end }}
{{- end }}

{{- define "gp.hasNatsCa" -}}
{{- $nats := (include "gp.servers" . | fromJson).nats -}}
{{- if and $nats.ownAuthority (contains "tls://" $nats.url) }}true{{ end -}}
{{- end }}

{{- define "gp.plainSettings" -}}
{{- $root := .root }}{{ $process := .process -}}
{{- $postgres := (include "gp.servers" $root | fromJson).postgres }}
{{- $address := include "gp.databaseUrl" (dict "root" $root "url" $postgres.url "role" $process.schema) }}
{{- $set := dict "DATABASE_URL" $address "METRICS_HOST" "0.0.0.0" "METRICS_PORT" "9464" "SHUTDOWN_SECONDS" (toString $process.values.shutdown.longestWorkSeconds) }}
{{- with $postgres.poolerUrl }}
{{- $set = merge (dict "DATABASE_URL" (include "gp.databaseUrl" (dict "root" $root "url" . "role" $process.schema)) "DATABASE_DIRECT_URL" $address) $set }}
{{- end }}
{{- $set = merge $set (include "gp.natsSettings" $root | fromYaml) (include "gp.kmsSettings" . | fromYaml) (include "gp.otlpSettings" . | fromYaml) }}
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
