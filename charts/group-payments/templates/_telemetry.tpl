{{/*
The secrets that prove collector and process to each other, by the volume that has them: {secret, keys}, as YAML. {root, process}; a task sends
no traces.
*/}}
{{- define "gp.otlpFiles" -}}
{{- if .process }}
{{- with .root.Values.telemetry.caSecret }}
otlp-ca: { secret: {{ . }}, keys: [ca.crt] }
{{- end }}
{{- with .root.Values.telemetry.clientSecret }}
otlp-client: { secret: {{ . }}, keys: [tls.crt, tls.key] }
{{- end }}
{{- end }}
{{- end }}

{{- define "gp.otlpSettings" -}}
{{- with .root.Values.telemetry }}
{{- with .otlpEndpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ . | quote }}
{{- end }}
{{- if .caSecret }}
OTEL_EXPORTER_OTLP_CERTIFICATE: /etc/otlp-ca/ca.crt
{{- end }}
{{- if .clientSecret }}
OTEL_EXPORTER_OTLP_CLIENT_KEY: /etc/otlp-client/tls.key
OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: /etc/otlp-client/tls.crt
{{- end }}
{{- end }}
{{- end }}

{{- define "gp.otlpMounts" -}}
{{- range $name, $_ := include "gp.otlpFiles" . | fromYaml }}
- { name: {{ $name }}, mountPath: /etc/{{ $name }}, readOnly: true }
{{- end }}
{{- end }}

{{- define "gp.otlpVolumes" -}}
{{- range $name, $files := include "gp.otlpFiles" . | fromYaml }}
- name: {{ $name }}
  secret:
    secretName: {{ $files.secret }}
    items:
      {{- range $files.keys }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}
{{- end }}
