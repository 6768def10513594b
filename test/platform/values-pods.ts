import {
  bool,
  buildEnum,
  count,
  labels,
  list,
  listWith,
  map,
  object,
  resources,
  text,
  type Schema,
} from './values-fields.ts';

const seconds = count(0, 3_600);

/** A variable's value is a text, which a number in YAML is not. */
const variables: Schema = list({
  ...object({ name: text('.+'), value: text(), valueFrom: { ...map, minProperties: 1 } }),
  required: ['name'],
});

/** What the values add to a pod and its containers. */
const additions: Record<string, Schema> = {
  extraEnv: variables,
  extraEnvFrom: list({ ...map, minProperties: 1 }),
  extraVolumes: listWith('name'),
  extraVolumeMounts: listWith('name', 'mountPath'),
  extraInitContainers: listWith('name', 'image'),
  serviceAccount: object({ annotations: labels }),
};

/** Where a pod runs and what it is called. */
const placement: Record<string, Schema> = {
  podAnnotations: labels,
  podLabels: labels,
  nodeSelector: labels,
  tolerations: list(map),
  affinity: map,
  priorityClassName: text(),
};

/** What the values may say of the pods of tasks. */
export const taskFields: Record<string, Schema> = { ...placement, ...additions };

/** The schema of one service's values, or of those of all: with the settings that it has. */
export function perService(settings: Record<string, Schema>): Schema {
  return object({
    replicas: count(0),
    resources,
    autoscaling: object({
      enabled: bool,
      minReplicas: count(1),
      maxReplicas: count(1),
      cpuPercent: count(1, 100),
    }),
    // A refund waits 20 s for its gateways: less would cut it off.
    shutdown: object({ preStopSeconds: seconds, longestWorkSeconds: { ...seconds, minimum: 25 } }),
    minReadySeconds: seconds,
    settings: object(settings),
    ...placement,
    spread: object({ zones: spreading, hosts: spreading }),
    ...additions,
    extraContainers: listWith('name', 'image'),
    podSecurityContext: map,
    containerSecurityContext: map,
    hostAliases: listWith('ip', 'hostnames'),
    dnsPolicy: buildEnum('', 'ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'),
    dnsConfig: map,
  });
}

const spreading = buildEnum('DoNotSchedule', 'ScheduleAnyway');
