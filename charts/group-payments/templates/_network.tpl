{{/*
Peers of the servers in comma-separated addresses, as a YAML list: a service of the cluster is its namespace, an IP
address is itself. Another name could be anywhere, so somebody must say where. {root, urls, given, value}
*/}}
{{- define "gp.peers" -}}
{{- if .given }}{{ toYaml .given }}
{{- else }}
{{- $o := . }}
{{- range $url := splitList "," .urls | uniq }}
{{- $host := regexReplaceAll ":[0-9]+$" (urlParse (trim $url)).host "" }}
{{- $words := splitList "." $host }}
{{- if regexMatch "^[0-9]+(\\.[0-9]+){3}$" $host }}
- ipBlock: { cidr: {{ $host }}/32 }
{{- else if eq (len $words) 1 }}
- namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ $o.root.Release.Namespace }} } }
{{- else if has "svc" $words }}
- namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: {{ index $words (sub (len (splitList "." (first (splitList ".svc" $host)))) 1) }} } }
{{- else }}
{{- fail (printf "\n\n`%s` must say where %s is: a NetworkPolicy cannot name a host outside the cluster.\n" $o.value $host) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* The ports of comma-separated addresses, as a YAML list. {urls, fallback} */}}
{{- define "gp.portsOf" -}}
{{- $fallback := .fallback }}
{{- $ports := list }}
{{- range splitList "," .urls }}
{{- $ports = append $ports (regexFind ":[0-9]+$" (urlParse (trim .)).host | trimPrefix ":" | default $fallback) }}
{{- end }}
{{- range $ports | uniq }}
- { protocol: TCP, port: {{ . }} }
{{- end }}
{{- end }}

{{/* Egress to servers the platform lives on. {root, postgres, nats, collector, kms, mail}: whichever are true. */}}
{{- define "gp.egressToServers" -}}
{{- $v := .root.Values }}{{ $servers := include "gp.servers" .root | fromJson }}
- to: {{- toYaml $v.network.dns | nindent 4 }}
  ports: [{ protocol: UDP, port: 53 }, { protocol: TCP, port: 53 }]
{{- if .postgres }}
{{- $urls := list $servers.postgres.url $servers.postgres.poolerUrl | compact | join "," }}
- to: {{- include "gp.peers" (dict "root" .root "urls" $urls "given" $v.network.postgres "value" "network.postgres") | nindent 4 }}
  ports: {{- include "gp.portsOf" (dict "urls" $urls "fallback" "5432") | nindent 4 }}
{{- end }}
{{- if .nats }}
- to: {{- include "gp.peers" (dict "root" .root "urls" $servers.nats.url "given" $v.network.nats "value" "network.nats") | nindent 4 }}
  ports: {{- include "gp.portsOf" (dict "urls" $servers.nats.url "fallback" "4222") | nindent 4 }}
{{- end }}
{{- if and .collector $v.telemetry.otlpEndpoint }}
- to: {{- include "gp.peers" (dict "root" .root "urls" $v.telemetry.otlpEndpoint "given" $v.network.collector "value" "network.collector") | nindent 4 }}
  ports: {{- include "gp.portsOf" (dict "urls" $v.telemetry.otlpEndpoint "fallback" (ternary "443" "80" (hasPrefix "https:" $v.telemetry.otlpEndpoint))) | nindent 4 }}
{{- end }}
{{- if and .kms $v.kms.url }}
- to: {{- include "gp.peers" (dict "root" .root "urls" $v.kms.url "given" $v.network.kms "value" "network.kms") | nindent 4 }}
  ports: {{- include "gp.portsOf" (dict "urls" $v.kms.url "fallback" "443") | nindent 4 }}
{{- end }}
{{- if and .mail $v.mail.url }}
- to: {{- include "gp.peers" (dict "root" .root "urls" $v.mail.url "given" $v.network.mail "value" "network.mail") | nindent 4 }}
  ports: {{- include "gp.portsOf" (dict "urls" $v.mail.url "fallback" (ternary "465" "587" (hasPrefix "smtps:" $v.mail.url))) | nindent 4 }}
{{- end }}
{{- end }}

{{/* The internet, which is neither the cluster nor the machines' metadata. {root, ports}: a list, or "any". */}}
{{- define "gp.egressToInternet" -}}
{{- $not := .root.Values.network.notInternet }}
- to:
    - ipBlock: { cidr: 0.0.0.0/0, except: {{ toJson $not.ipv4 }} }
    - ipBlock: { cidr: '2000::/3', except: {{ toJson $not.ipv6 }} }
  ports:
    {{- if kindIs "string" .ports }}
    - { protocol: TCP, port: 1, endPort: 65535 }
    {{- else }}
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
    {{- end }}
{{- end }}

{{/* Pods of ours, by component. {root, names} */}}
{{- define "gp.ownPods" -}}
- podSelector:
    matchLabels: { app.kubernetes.io/instance: {{ .root.Release.Name }} }
    matchExpressions: [{ key: app.kubernetes.io/component, operator: In, values: {{ toJson .names }} }]
{{- end }}
