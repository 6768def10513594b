{{/*
The keys that each secret must have for this release, as JSON: {secret: [keys]}. Read from what the pods and Jobs refer to, so that no list is
kept beside it.
*/}}
{{- define "gp.requiredSecrets" -}}
{{- $root := . }}
{{- $servers := include "gp.servers" . | fromJson }}
{{- $refs := list (dict "name" $servers.postgres.adminSecret "key" "admin-url") (dict "name" $servers.nats.secret "key" "installation") }}
{{- range $name, $process := include "gp.processes" . | fromJson }}
{{- range include "gp.environment" (dict "root" $root "process" $process) | fromYamlArray }}
{{- with .valueFrom }}{{ if not .secretKeyRef.optional }}{{ $refs = append $refs .secretKeyRef }}{{ end }}{{ end }}
{{- end }}
{{- end }}
{{- range $_, $secret := include "gp.authorities" . | fromYaml }}
{{- $refs = append $refs (dict "name" $secret "key" "ca.crt") }}
{{- end }}
{{- if and .Values.kms.url .Values.kms.caSecret }}{{ $refs = append $refs (dict "name" .Values.kms.caSecret "key" "ca.crt") }}{{ end }}
{{- range $_, $files := include "gp.otlpFiles" (dict "root" $root "process" true) | fromYaml }}
{{- range $files.keys }}{{ $refs = append $refs (dict "name" $files.secret "key" .) }}{{ end }}
{{- end }}
{{- $needed := dict }}
{{- range $refs }}
{{- $_ := set $needed .name (append (get $needed .name | default list) .key | uniq) }}
{{- end }}
{{- toJson $needed }}
{{- end }}

{{/* Fails with the names of secrets and keys that are missing and that the chart does not make, where a cluster can be asked. */}}
{{- define "gp.checkSecrets" -}}
{{- $namespace := .Release.Namespace }}
{{- if and .Values.checkSecrets (not .Values.externalSecrets.enabled) (lookup "v1" "ServiceAccount" $namespace "").kind }}
{{- $plan := include "gp.secretsPlan" . | fromJson }}
{{- $faults := list }}
{{- range $name, $keys := include "gp.requiredSecrets" . | fromJson }}
{{- $secret := lookup "v1" "Secret" $namespace $name }}
{{- $there := merge (deepCopy ($secret.data | default dict)) (get $plan $name | default dict) }}
{{- $missing := list }}
{{- range $keys }}{{ if not (hasKey $there .) }}{{ $missing = append $missing . }}{{ end }}{{ end }}
{{- if $missing }}
{{- $sentence := ternary "the secret %s lacks %s" "the secret %s does not exist; its keys are %s" (not (empty $secret)) }}
{{- $faults = append $faults (printf $sentence $name (join ", " $missing)) }}
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
What the secrets are made of, as JSON for services/installation/src/make-secrets.ts: every key that this release refers to, and where the servers
are its own their passwords and users.
*/}}
{{- define "gp.secretsPlan" -}}
{{- $servers := include "gp.servers" . | fromJson }}
{{- $required := include "gp.requiredSecrets" . | fromJson }}
{{- $plan := dict }}
{{- range $name := include "gp.ownSecrets" . | fromJsonArray }}
{{- $keys := dict }}
{{- /* The password at a mail server is given by that server. */ -}}
{{- range without (get $required $name) "mail-password" }}
{{- $isKey := and (eq $name $servers.keys.secret) (ne . "sandbox-control-token") }}
{{- $_ := set $keys . (ternary "key" (ternary "seed" "password" (eq $name $servers.nats.secret)) $isKey) }}
{{- end }}
{{- $_ := set $plan $name $keys }}
{{- end }}
{{- if .Values.bundled.enabled }}
{{- $address := $servers.postgres.url | replace "postgres://" "postgres://payments_admin:{password}@" }}
{{- $_ := set $plan $servers.postgres.adminSecret (dict "password" "password" "admin-url" $address) }}
{{- $users := dict }}
{{- range concat (keys (get $plan $servers.nats.secret)) (list "operator" "administrator") | uniq | sortAlpha }}
{{- $_ := set (get $plan $servers.nats.secret) . "seed" }}
{{- $_ := set $users (printf "NATS_KEY_%s" (. | upper | replace "-" "_")) (printf "public-key:%s/%s" $servers.nats.secret .) }}
{{- end }}
{{- $_ := set $plan (printf "%s-users" $servers.nats.secret) $users }}
{{- end }}
{{- toJson $plan }}
{{- end }}
