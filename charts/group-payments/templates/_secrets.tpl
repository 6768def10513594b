{{/*
A key of a secret as JSON, {name, key, as}: `key` is what the chart calls it, which `keyNames` of the values (`of`) may call otherwise; an entry
with a slash names another secret, too. {of, secret, key}, without `secret` that of the values.
*/}}
{{- define "gp.ref" -}}
{{- $parts := splitList "/" (get (.of.keyNames | default dict) .key | default .key) }}
{{- $name := .secret | default .of.secret }}{{ if eq 2 (len $parts) }}{{ $name = first $parts }}{{ end }}
{{- dict "name" $name "key" (last $parts) "as" .key | toJson }}
{{- end }}

{{/* The settings that a process has from secrets, as JSON: {setting, name, key, as, optional}. {root, process} */}}
{{- define "gp.secretSettings" -}}
{{- $v := .root.Values }}{{ $process := .process }}{{ $servers := include "gp.servers" .root | fromJson }}
{{- $wanted := list (dict "setting" "PGPASSWORD" "of" $servers.postgres "key" $process.schema) (dict "setting" "NATS_NKEY_SEED" "of" $servers.nats "key" $process.name) }}
{{- if $process.seals }}
{{- $wanted = append $wanted (dict "setting" "ENCRYPTION_KEY" "of" $servers.keys "key" (printf "encryption-key-%s" $process.name)) }}
{{- $wanted = append $wanted (dict "setting" "PREVIOUS_ENCRYPTION_KEYS" "of" $servers.keys "key" (printf "previous-encryption-keys-%s" $process.name) "optional" true) }}
{{- end }}
{{- $keys := $process.keys | default list }}{{ if $v.sandbox.enabled }}{{ $keys = concat $keys ($process.keysForSandbox | default list) }}{{ end }}
{{- if $v.mail.user }}{{ $keys = concat $keys ($process.keysForMail | default list) }}{{ end }}
{{- range $keys }}{{ $wanted = append $wanted (dict "setting" . "of" $servers.keys "key" (lower . | replace "_" "-")) }}{{ end }}
{{- range $process.optionalKeys }}{{ $wanted = append $wanted (dict "setting" . "of" $servers.keys "key" (lower . | replace "_" "-") "optional" true) }}{{ end }}
{{- with $v.telemetry.headersSecret }}{{ $wanted = append $wanted (dict "setting" "OTEL_EXPORTER_OTLP_HEADERS" "of" $v.telemetry "secret" . "key" "otlp-headers") }}{{ end }}
{{- $settings := list }}
{{- range $wanted }}{{ $settings = append $settings (merge (include "gp.ref" . | fromJson) (dict "setting" .setting "optional" (.optional | default false))) }}{{ end }}
{{- toJson $settings }}
{{- end }}

{{/* What the values add to a pod from secrets and ConfigMaps, as a JSON list of {kind, name, key, optional}, without `key` the whole. */}}
{{- define "gp.extraSources" -}}
{{- $sources := list }}
{{- $own := dict "env" .extraEnv "envFrom" .extraEnvFrom }}
{{- range prepend (concat (.extraContainers | default list) (.extraInitContainers | default list)) $own }}
{{- range $variable := .env }}{{ range $kind, $field := dict "Secret" "secretKeyRef" "ConfigMap" "configMapKeyRef" }}
{{- with get ($variable.valueFrom | default dict) $field }}{{ $sources = append $sources (merge (dict "kind" $kind) .) }}{{ end }}
{{- end }}{{ end }}
{{- range $from := .envFrom }}{{ range $kind, $field := dict "Secret" "secretRef" "ConfigMap" "configMapRef" }}
{{- with get $from $field }}{{ $sources = append $sources (merge (dict "kind" $kind) .) }}{{ end }}
{{- end }}{{ end }}
{{- end }}
{{- toJson $sources }}
{{- end }}

{{/*
What must be there for this release, as JSON by kind and name: {kind, name, keys}, and in `keys` what the chart calls each key. Read from what the
pods and Jobs refer to, so that no list is kept beside it.
*/}}
{{- define "gp.required" -}}
{{- $root := . }}{{ $servers := include "gp.servers" . | fromJson }}
{{- $refs := list (include "gp.ref" (dict "of" $servers.postgres "secret" $servers.postgres.adminSecret "key" "admin-url") | fromJson) (include "gp.ref" (dict "of" $servers.nats "key" "installation") | fromJson) }}
{{- $extra := include "gp.extraSources" .Values.migrations | fromJsonArray }}
{{- range $_, $process := include "gp.processes" . | fromJson }}
{{- $o := dict "root" $root "process" $process }}
{{- $refs = concat $refs (include "gp.secretSettings" $o | fromJsonArray) }}
{{- range $_, $file := include "gp.files" $o | fromJson }}
{{- range $file.items }}{{ $refs = append $refs (dict "kind" $file.kind "name" $file.name "key" .key "as" .path) }}{{ end }}
{{- end }}
{{- $extra = concat $extra (include "gp.extraSources" $process.values | fromJsonArray) }}
{{- end }}
{{- $required := dict }}
{{- range concat $refs $extra }}{{ if not .optional }}
{{- $kind := .kind | default "Secret" }}{{ $id := printf "%s/%s" $kind .name }}
{{- if not (hasKey $required $id) }}{{ $_ := set $required $id (dict "kind" $kind "name" .name "keys" dict) }}{{ end }}
{{- $keys := get (get $required $id) "keys" }}
{{- if and .key (not (hasKey $keys .key)) }}{{ $_ := set $keys .key (.as | default "") }}{{ end }}
{{- end }}{{ end }}
{{- toJson $required }}
{{- end }}

{{/* Fails with the names of secrets and keys that are missing and that the chart does not make, where a cluster can be asked. */}}
{{- define "gp.checkSecrets" -}}
{{- $namespace := .Release.Namespace }}
{{- if and .Values.checkSecrets (not .Values.externalSecrets.enabled) (lookup "v1" "ServiceAccount" $namespace "").kind }}
{{- $plan := include "gp.secretsPlan" . | fromJson }}
{{- $faults := list }}
{{- range $_, $one := include "gp.required" . | fromJson }}
{{- $object := lookup "v1" .kind $namespace .name }}
{{- $made := ternary (get $plan .name | default dict) dict (eq .kind "Secret") }}
{{- $there := merge (deepCopy ($object.data | default dict)) ($object.binaryData | default dict) $made }}
{{- $missing := list }}
{{- range keys .keys | sortAlpha }}{{ if not (hasKey $there .) }}{{ $missing = append $missing . }}{{ end }}{{ end }}
{{- $title := printf "the %s %s" (ternary "secret" .kind (eq .kind "Secret")) .name }}
{{- if and $object $missing }}{{ $faults = append $faults (printf "%s lacks %s" $title (join ", " $missing)) }}
{{- else if $missing }}{{ $faults = append $faults (printf "%s does not exist; its keys are %s" $title (join ", " $missing)) }}
{{- else if not (or $object $made) }}{{ $faults = append $faults (printf "%s does not exist" $title) }}
{{- end }}
{{- end }}
{{- with $faults }}
{{- fail (printf "\n\nIn the namespace %s:\n\n- %s\n\nThe chart's README has the commands under \"Secrets\". `checkSecrets: false` leaves this check out.\n" $namespace (join "\n- " .)) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Names of the secrets that the chart makes by itself, as JSON. */}}
{{- define "gp.ownSecrets" -}}
{{- $servers := include "gp.servers" . | fromJson }}
{{- $own := list }}
{{- if or .Values.generateSecrets.enabled .Values.bundled.enabled }}{{ $own = list $servers.postgres.secret $servers.keys.secret }}{{ end }}
{{- if .Values.bundled.enabled }}{{ $own = concat $own (list $servers.postgres.adminSecret $servers.nats.secret) }}{{ end }}
{{- toJson $own }}
{{- end }}

{{/*
What the secrets are made of, as JSON for services/installation/src/make-secrets.ts: every key that the chart of this release refers to, and where the
servers are its own their passwords and users.
*/}}
{{- define "gp.secretsPlan" -}}
{{- $servers := include "gp.servers" . | fromJson }}
{{- $required := include "gp.required" . | fromJson }}
{{- $plan := dict }}
{{- range $name := include "gp.ownSecrets" . | fromJsonArray }}
{{- $keys := dict }}
{{- /* The password at a mail server is given by that server, and a key that only the values name by somebody else. */ -}}
{{- range $key, $as := (get $required (printf "Secret/%s" $name) | default dict).keys }}
{{- if not (has $as (list "" "mail-password")) }}
{{- $isKey := and (eq $name $servers.keys.secret) (ne $as "sandbox-control-token") }}
{{- $_ := set $keys $key (ternary "key" (ternary "seed" "password" (eq $name $servers.nats.secret)) $isKey) }}
{{- end }}
{{- end }}
{{- $_ := set $plan $name $keys }}
{{- end }}
{{- if .Values.bundled.enabled }}
{{- $address := $servers.postgres.url | replace "postgres://" "postgres://payments_admin:{password}@" }}
{{- $_ := set $plan $servers.postgres.adminSecret (dict "password" "password" "admin-url" $address) }}
{{- $users := dict }}
{{- range concat (keys (get $plan $servers.nats.secret)) (list "operator" "administrator") | uniq | sortAlpha }}
{{- $setting := printf "NATS_KEY_%s" (. | upper | replace "-" "_") }}
{{- range $seed, $key := dict . $setting (printf "previous-%s" .) (printf "%s_PREVIOUS" $setting) }}
{{- $_ := set (get $plan $servers.nats.secret) $seed "seed" }}
{{- $_ := set $users $key (printf "public-key:%s/%s" $servers.nats.secret $seed) }}
{{- end }}
{{- end }}
{{- $_ := set $plan (printf "%s-users" $servers.nats.secret) $users }}
{{- end }}
{{- toJson $plan }}
{{- end }}
