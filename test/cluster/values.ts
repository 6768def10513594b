import { HOSTS, IMAGE, STILL_ZONE } from './constants.ts';

/**
 * Values over the chart's quick start: two replicas, three NATS servers, the ingress with TLS, and metrics that scale the API. The quick
 * start is what a stranger begins with, and has most of the chart in it: the Job that makes secrets, both servers with
 * their policies, and a mailbox, with which `helm test` pays a group by itself.
 */
export function values(
  podAnnotations: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>> {
  const [repository, tag] = IMAGE.split(/:(?=[^:/]*$)/);
  return {
    image: { repository, tag },
    hosts: HOSTS,
    urls: Object.fromEntries(Object.entries(HOSTS).map(([name, host]) => [name, `https://${host}`])),
    bundled: { nats: { servers: 3 } },
    defaults: { replicas: 2, podAnnotations },
    services: {
      'api-gateway': { autoscaling: { enabled: true, minReplicas: 2, maxReplicas: 3 } },
      'merchant-dashboard': { replicas: 1 },
      // It stands for the world outside: drills leave it alone.
      'psp-sandbox': { replicas: 1, nodeSelector: { 'topology.kubernetes.io/zone': STILL_ZONE } },
    },
    ingress: { enabled: true, className: 'nginx' },
  };
}
