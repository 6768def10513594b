{{/*
An annotation that changes with the secrets and ConfigMaps that a pod's programs read when they start, so that an upgrade after a rotation restarts
the pods that read what was rotated. It is made of versions of the objects, never of what is in them, which could be guessed from its hash. Files are
no part of it, since programs open them again, except for the certificates that Node reads once. {root, process, seen}: `seen` has the versions that
were looked up before.
*/}}
{{- define "gp.secretVersions" -}}
{{- $namespace := .root.Release.Namespace }}{{ $seen := .seen }}
{{- if and .root.Values.checkSecrets (lookup "v1" "ServiceAccount" $namespace "").kind }}
{{- $sources := concat (include "gp.secretSettings" . | fromJsonArray) (include "gp.extraSources" .process.values | fromJsonArray) }}
{{- with get (include "gp.files" . | fromJson) "trust-ca" }}{{ $sources = append $sources . }}{{ end }}
{{- $versions := list }}
{{- range $sources }}
{{- $kind := .kind | default "Secret" }}{{ $id := printf "%s/%s" $kind .name }}
{{- if not (hasKey $seen $id) }}
{{- $metadata := (lookup "v1" $kind $namespace .name).metadata | default dict }}
{{- $_ := set $seen $id (ternary (printf "%s %v %v" $id $metadata.uid $metadata.resourceVersion) "" (not (empty $metadata))) }}
{{- end }}
{{- $versions = append $versions (get $seen $id) }}
{{- end }}
{{- with $versions | uniq | sortAlpha | compact }}
checksum/secrets: {{ join "\n" . | sha256sum }}
{{- end }}
{{- end }}
{{- end }}
