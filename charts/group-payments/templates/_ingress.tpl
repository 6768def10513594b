{{/*
What the ingress of each host says, as JSON by host: `className`, `annotations` and `tlsSecret` of all, with the host's own over them, and `apart`
where only an Ingress of its own can say it. {root, hosts}
*/}}
{{- define "gp.ingressHosts" -}}
{{- $ingress := .root.Values.ingress }}{{ $hosts := dict }}
{{- range $host := .hosts }}
{{- $common := pick $ingress "className" "annotations" "tlsSecret" }}{{ $own := deepCopy $common }}
{{- $_ := include "gp.lay" (dict "over" (deepCopy (get $ingress.hosts $host | default dict)) "under" $own) }}
{{- $_ := set $own "apart" (ne (toJson (omit $own "tlsSecret")) (toJson (omit $common "tlsSecret"))) }}
{{- $_ := set $hosts $host $own }}
{{- end }}
{{- toJson $hosts }}
{{- end }}

{{/* An Ingress: {root, full, hosts, of, backends}: the hosts in it, what all ingresses say, and who answers on each host. */}}
{{- define "gp.ingress" -}}
{{- $o := . }}{{ $v := .root.Values }}{{ $first := get .of (first .hosts) }}
{{- $tls := dict }}
{{- range .hosts }}{{ with (get $o.of .).tlsSecret }}{{ $_ := set $tls . list }}{{ end }}{{ end }}
{{- range .hosts }}{{ $name := get $v.hosts . }}{{ with (get $o.of .).tlsSecret }}{{ $_ := set $tls . (append (get $tls .) $name) }}{{ end }}{{ end }}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {{- include "gp.metadata" (dict "root" .root "name" "ingress" "full" .full "annotations" $first.annotations) | nindent 2 }}
spec:
  {{- with $first.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with $tls }}
  tls:
    {{- range $secret, $names := . }}
    - secretName: {{ $secret }}
      hosts: {{- toYaml $names | nindent 8 }}
    {{- end }}
  {{- end }}
  rules:
    {{- range $host := .hosts }}
    - host: {{ get $v.hosts $host }}
      http:
        paths:
          {{- range $backend := get $o.backends $host }}
          {{- range .paths }}
          - path: {{ . }}
            pathType: Prefix
            backend: { service: { name: {{ include "gp.fullname" $o.root }}-{{ $backend.name }}, port: { name: http } } }
          {{- end }}
          {{- end }}
    {{- end }}
{{- end }}
