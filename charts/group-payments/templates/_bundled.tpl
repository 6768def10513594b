{{- define "gp.bundledPostgres" -}}
env:
  - { name: POSTGRES_DB, value: payments }
  - { name: POSTGRES_USER, value: payments_admin }
  - name: POSTGRES_PASSWORD
    valueFrom: { secretKeyRef: { name: {{ .secret }}, key: password } }
args: [-c, max_connections=200]
readinessProbe:
  exec: { command: [pg_isready, --username, payments_admin, --dbname, payments, --host, 127.0.0.1] }
  periodSeconds: 2
volumeMounts:
  - { name: data, mountPath: /var/lib/postgresql }
  - { name: socket, mountPath: /var/run/postgresql }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "gp.bundledNats" -}}
# The public keys of the users, which the configuration names.
envFrom: [{ secretRef: { name: {{ .users }} } }]
args: [--config=/etc/nats/nats.conf]
readinessProbe:
  httpGet: { path: /healthz, port: 8222 }
  periodSeconds: 2
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: config, mountPath: /etc/nats, readOnly: true }
{{- end }}

{{/*
A server of the release: a StatefulSet of one pod with a volume, its Service, and the policy that only our own pods enter.
{root, name, port, values, container, volumes, annotations}
*/}}
{{- define "gp.bundledServer" -}}
{{- $full := printf "%s-%s" (include "gp.fullname" .root) .name }}
{{- $metadata := include "gp.metadata" (dict "root" .root "name" .name "full" $full) }}
{{- $v := .root.Values }}{{ $values := include "gp.podValues" (dict "root" .root "over" .values) | fromJson }}
---
apiVersion: v1
kind: Service
metadata: {{- $metadata | nindent 2 }}
spec:
  selector: {{- include "gp.selector" . | nindent 4 }}
  ports: [{ name: server, port: {{ .port }}, targetPort: server }]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {{- $metadata | nindent 2 }}
spec:
  serviceName: {{ $full }}
  replicas: 1
  selector:
    matchLabels: {{- include "gp.selector" . | nindent 6 }}
  template:
    metadata: {{- include "gp.podMetadata" (dict "root" .root "name" .name "values" $values "annotations" .annotations) | nindent 6 }}
    spec:
      {{- include "gp.podBasics" (dict "root" .root "account" (printf "%s-servers" (include "gp.fullname" .root)) "values" $values) | nindent 6 }}
      containers:
        - name: server
          image: {{ .values.image }}
          ports: [{ name: server, containerPort: {{ .port }} }]
          resources: {{- toYaml $values.resources | nindent 12 }}
          securityContext: {{- toYaml $values.containerSecurityContext | nindent 12 }}
          {{- .container | nindent 10 }}
      volumes:
        {{- .volumes | nindent 8 }}
        {{- if not $v.bundled.storage }}
        - { name: data, emptyDir: {} }
        {{- end }}
  {{- with $v.bundled.storage }}
  volumeClaimTemplates:
    - metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $v.bundled.storageClass }}
        storageClassName: {{ . }}
        {{- end }}
        resources: { requests: { storage: {{ . }} } }
  {{- end }}
{{- if $v.network.policies }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {{- $metadata | nindent 2 }}
spec:
  podSelector:
    matchLabels: {{- include "gp.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - from: {{- include "gp.ownPods" (dict "root" .root "names" (append (keys (include "gp.processes" .root | fromJson) | sortAlpha) "installation")) | nindent 8 }}
      ports: [{ protocol: TCP, port: server }]
{{- end }}
{{- end }}
