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
{{- $nats = merge (dict "url" (printf "nats://%s-nats:4222" $full) "replicas" 1) $nats }}
{{- $_ := set $nats "secret" ($nats.secret | default (printf "%s-nats" $full)) }}
{{- $_ := set $keys "secret" ($keys.secret | default (printf "%s-keys" $full)) }}
{{- end }}
{{- dict "postgres" $postgres "nats" $nats "keys" $keys "asHooks" (and .Values.migrations.asHooks (not .Values.bundled.enabled)) | toJson }}
{{- end }}

{{/*
The database's address with a role in it and no password, which the driver takes from PGPASSWORD; with the authority of
the server's certificate where there is one.
*/}}
{{- define "gp.databaseUrl" -}}
{{- $postgres := (include "gp.servers" .root | fromJson).postgres -}}
{{- regexReplaceAll "^(postgres(?:ql)?://)" $postgres.url (printf "${1}%s@" .role) -}}
{{- if $postgres.caSecret }}{{ ternary "&" "?" (contains "?" $postgres.url) }}sslmode=verify-full&sslrootcert=/etc/postgres-ca/ca.crt{{ end -}}
{{- end }}

{{/*
The certificates of the authorities that signed the database's and NATS' own, each alone: the secret of NATS also has the seeds of
all processes.
*/}}
{{- define "gp.authorities" -}}
{{- $servers := include "gp.servers" . | fromJson }}
{{- with $servers.postgres.caSecret }}
postgres-ca: {{ . }}
{{- end }}
{{- if include "gp.hasNatsCa" . }}
nats-ca: {{ $servers.nats.secret }}
{{- end }}
{{- end }}

{{/*
What a container of ours has mounted: the authorities, what it needs of a KMS and for its traces, and for the dashboard its mailbox. {root,
process}, without a process for a task.
*/}}
{{- define "gp.mounts" -}}
{{- $authorities := include "gp.authorities" .root | fromYaml }}
{{- if or $authorities (include "gp.usesKms" .) (include "gp.otlpFiles" .) (include "gp.hasMailbox" .) }}
volumeMounts:
  {{- range $name, $_ := $authorities }}
  - { name: {{ $name }}, mountPath: /etc/{{ $name }}, readOnly: true }
  {{- end }}
  {{- if include "gp.hasMailbox" . }}
  - { name: mailbox, mountPath: /var/mailbox }
  {{- end }}
  {{- include "gp.kmsMounts" . | nindent 2 }}
  {{- include "gp.otlpMounts" . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "gp.volumes" -}}
{{- $authorities := include "gp.authorities" .root | fromYaml }}
{{- if or $authorities (include "gp.usesKms" .) (include "gp.otlpFiles" .) (include "gp.hasMailbox" .) }}
volumes:
  {{- range $name, $secret := $authorities }}
  - name: {{ $name }}
    secret: { secretName: {{ $secret }}, items: [{ key: ca.crt, path: ca.crt }] }
  {{- end }}
  {{- if include "gp.hasMailbox" . }}
  - { name: mailbox, emptyDir: { sizeLimit: 64Mi } }
  {{- end }}
  {{- include "gp.kmsVolumes" . | nindent 2 }}
  {{- include "gp.otlpVolumes" . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "gp.hasMailbox" -}}
{{- if and .root.Values.mail.mailbox .process }}{{ if .process.hasMailbox }}true{{ end }}{{ end -}}
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
{{- $root := .root }}{{ $process := .process }}{{ $servers := include "gp.servers" $root | fromJson -}}
{{ include "gp.fromSecret" (dict "setting" "PGPASSWORD" "secret" $servers.postgres.secret "key" $process.schema) }}
{{ include "gp.fromSecret" (dict "setting" "NATS_NKEY_SEED" "secret" $servers.nats.secret "key" $process.name) }}
{{- if $process.seals }}
{{ include "gp.fromSecret" (dict "setting" "ENCRYPTION_KEY" "secret" $servers.keys.secret "key" (printf "encryption-key-%s" $process.name)) }}
{{ include "gp.fromSecret" (dict "setting" "PREVIOUS_ENCRYPTION_KEYS" "secret" $servers.keys.secret "key" (printf "previous-encryption-keys-%s" $process.name) "optional" true) }}
{{- end }}
{{- $keys := $process.keys | default list }}{{ if $root.Values.sandbox.enabled }}{{ $keys = concat $keys ($process.keysForSandbox | default list) }}{{ end }}
{{- if $root.Values.mail.user }}{{ $keys = concat $keys ($process.keysForMail | default list) }}{{ end }}
{{- range $keys }}
{{ include "gp.fromSecret" (dict "setting" . "secret" $servers.keys.secret "key" (lower . | replace "_" "-")) }}
{{- end }}
{{- range $process.optionalKeys }}
{{ include "gp.fromSecret" (dict "setting" . "secret" $servers.keys.secret "key" (lower . | replace "_" "-") "optional" true) }}
{{- end }}
{{- with $root.Values.telemetry.headersSecret }}
{{ include "gp.fromSecret" (dict "setting" "OTEL_EXPORTER_OTLP_HEADERS" "secret" . "key" "otlp-headers") }}
{{- end }}
{{- range $setting, $value := include "gp.plainSettings" . | fromYaml }}
- name: {{ $setting }}
  value: {{ $value | quote }}
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
{{- $set := dict "DATABASE_URL" (include "gp.databaseUrl" (dict "root" $root "role" $process.schema)) "METRICS_HOST" "0.0.0.0" "METRICS_PORT" "9464" "SHUTDOWN_SECONDS" (toString $process.values.shutdown.longestWorkSeconds) }}
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
