{{/* Where traces go, and how collector and process prove themselves to each other; the files are in "gp.files". */}}
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
