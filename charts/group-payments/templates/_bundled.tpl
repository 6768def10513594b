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

{{/* {users, full, copies}. A server has started when it has its streams; then it takes clients whatever becomes of the others. */}}
{{- define "gp.bundledNats" -}}
# The public keys of the users, which the configuration names.
envFrom: [{ secretRef: { name: {{ .users }} } }]
{{- if gt (int .copies) 1 }}
env:
  - { name: POD_NAME, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
args:
  - --config=/etc/nats/nats.conf
  - --name=$(POD_NAME)
  - --cluster_name={{ .full }}
  - --cluster=nats://0.0.0.0:6222
  - --routes={{ range $n := until (int .copies) }}{{ if $n }},{{ end }}nats://{{ $.full }}-{{ $n }}:6222{{ end }}
{{- else }}
args: [--config=/etc/nats/nats.conf]
{{- end }}
startupProbe:
  httpGet: { path: /healthz, port: 8222 }
  periodSeconds: 2
  failureThreshold: 90
readinessProbe:
  httpGet: { path: '/healthz?js-server-only=true', port: 8222 }
  periodSeconds: 2
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: config, mountPath: /etc/nats, readOnly: true }
{{- end }}

{{/*
A server of the release: a StatefulSet whose pods have a volume each, its Service, and the policy that only our own pods enter. With
`copies` above one each pod has a Service for the others, who reach it at the port `peers` before it is ready.
{root, name, port, values, container, volumes, annotations, copies}
*/}}
{{- define "gp.bundledServer" -}}
{{- $copies := int (.copies | default 1) }}{{ $isCopied := gt $copies 1 }}{{ $o := . }}
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
{{- if $isCopied }}
{{- range $n := until $copies }}
---
apiVersion: v1
kind: Service
metadata: {{- include "gp.metadata" (dict "root" $o.root "name" $o.name "full" (printf "%s-%d" $full $n)) | nindent 2 }}
spec:
  publishNotReadyAddresses: true
  selector: {{- merge (dict "statefulset.kubernetes.io/pod-name" (printf "%s-%d" $full $n)) (include "gp.selector" $o | fromYaml) | toYaml | nindent 4 }}
  ports: [{ name: peers, port: 6222, targetPort: peers }]
{{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {{- $metadata | nindent 2 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "gp.selector" . | nindent 6 }}
{{- end }}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {{- $metadata | nindent 2 }}
spec:
  serviceName: {{ $full }}
  replicas: {{ $copies }}
  {{- if $isCopied }}
  # The first one starts no streams without a second one.
  podManagementPolicy: Parallel
  {{- end }}
  selector:
    matchLabels: {{- include "gp.selector" . | nindent 6 }}
  template:
    metadata: {{- include "gp.podMetadata" (dict "root" .root "name" .name "values" $values "annotations" .annotations) | nindent 6 }}
    spec:
      {{- include "gp.podBasics" (dict "root" .root "account" (printf "%s-servers" (include "gp.fullname" .root)) "values" $values) | nindent 6 }}
      {{- if $isCopied }}
      topologySpreadConstraints:
        {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "gp.selector" $o | nindent 14 }}
        {{- end }}
      {{- end }}
      containers:
        - name: server
          image: {{ .values.image }}
          ports:
            - { name: server, containerPort: {{ .port }} }
            {{- if $isCopied }}
            - { name: peers, containerPort: 6222 }
            {{- end }}
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
    {{- if $isCopied }}
    - from: {{- include "gp.ownPods" (dict "root" .root "names" (list .name)) | nindent 8 }}
      ports: [{ protocol: TCP, port: peers }]
  egress:
    - to: {{- include "gp.ownPods" (dict "root" .root "names" (list .name)) | nindent 8 }}
      ports: [{ protocol: TCP, port: peers }]
    - to: {{- toYaml $v.network.dns | nindent 8 }}
      ports: [{ protocol: UDP, port: 53 }, { protocol: TCP, port: 53 }]
    {{- end }}
{{- end }}
{{- end }}
