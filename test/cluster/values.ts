import { HOSTS, IMAGE } from './constants.ts';

/**
 * Values over the chart's quick start: two replicas, the ingress with TLS, and metrics that scale the API. The quick
 * start is what a stranger begins with, and has most of the chart in it: the Job that makes secrets, both servers with
 * their policies, and a mailbox, with which `helm test` pays a group by itself.
 */
export function values(): Readonly<Record<string, unknown>> {
  const [repository, tag] = IMAGE.split(/:(?=[^:/]*$)/);
  return {
    image: { repository, tag },
    hosts: HOSTS,
    urls: Object.fromEntries(Object.entries(HOSTS).map(([name, host]) => [name, `https://${host}`])),
    bundled: { storage: '' },
    defaults: { replicas: 2 },
    services: {
      'api-gateway': { autoscaling: { enabled: true, minReplicas: 2, maxReplicas: 3 } },
      'merchant-dashboard': { replicas: 1 },
      'psp-sandbox': { replicas: 1 },
    },
    ingress: { enabled: true, className: 'nginx' },
  };
}
