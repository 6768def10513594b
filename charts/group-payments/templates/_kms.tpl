{{/* Whether a process has its encryption keys unwrapped by a KMS: {root, process}; a task is no process. */}}
{{- define "gp.usesKms" -}}
{{- if and .process .root.Values.kms.url }}{{ if .process.seals }}true{{ end }}{{ end -}}
{{- end }}

{{- define "gp.kmsSettings" -}}
{{- if include "gp.usesKms" . }}
{{- $kms := .root.Values.kms }}
{{- $name := printf "%s-%s" $kms.prefix .process.name }}
KMS_URL: {{ $kms.url | quote }}
KMS_MOUNT: {{ $kms.mount | quote }}
KMS_KEY: {{ $name }}
KMS_ROLE: {{ $name }}
KMS_LOGIN_PATH: {{ $kms.loginPath | quote }}
KMS_JWT_FILE: /var/run/secrets/kms/token
{{- if $kms.caSecret }}
KMS_CA_FILE: /etc/kms-ca/ca.crt
{{- end }}
{{- end }}
{{- end }}

{{/* A volume with a token of the pod's own account that only the KMS accepts, read at the start. */}}
{{- define "gp.kmsToken" -}}
name: kms-token
projected:
  sources:
    - serviceAccountToken: { path: token, audience: {{ .Values.kms.audience | quote }}, expirationSeconds: 600 }
{{- end }}
