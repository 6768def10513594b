import { describe, expect, it } from '@jest/globals';
import { renderIngress, type Ingress, type Service } from './ingress.ts';

const ingress: Ingress = {
  metadata: { namespace: 'payments' },
  spec: {
    rules: [
      {
        host: 'api.pay.test',
        http: { paths: [{ path: '/v1', backend: { service: { name: 'api', port: { name: 'http' } } } }] },
      },
    ],
  },
};
const service: Service = {
  metadata: { name: 'api', namespace: 'payments' },
  spec: { clusterIP: '10.96.1.1', ports: [{ name: 'http', port: 8080 }] },
};

describe('the configuration of the ingress', () => {
  it('a host and a path lead to the service that the Ingress names', () => {
    const text = renderIngress([ingress], [service]);
    expect(text).toContain(
      `upstream api { ${'server 10.96.1.1:8080 max_fails=0; '.repeat(3)}keepalive 16; }`,
    );
    expect(text).toContain('server_name api.pay.test;\n    location /v1 { proxy_pass http://api; }');
  });

  it('a service of another namespace is refused', () => {
    const elsewhere = { ...service, metadata: { name: 'api', namespace: 'other' } };
    expect(() => renderIngress([ingress], [elsewhere])).toThrow('payments/api');
  });
});
