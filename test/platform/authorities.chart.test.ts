import { describe, expect, it } from '@jest/globals';
import { render } from './helm.ts';
import { listPods } from './pods.ts';

describe('the authorities of the servers’ certificates', () => {
  it('every container that knows a server has the certificate of its authority, and nothing else of that secret (H5, M7)', async () => {
    const objects = await render({ example: 'production' });
    const volume = (name: string, secretName: string) => ({
      name,
      secret: { secretName, items: [{ key: 'ca.crt', path: 'ca.crt' }] },
    });
    const mount = (name: string) => ({ name, mountPath: `/etc/${name}`, readOnly: true });
    const knowing = listPods(objects).filter(({ spec }) =>
      spec.containers.some(({ env }) => env.some(({ name }) => /(DATABASE|NATS)_URL$/.test(name))),
    );
    expect(knowing.length).toBeGreaterThan(10);
    for (const { spec } of knowing) {
      expect(spec['volumes']).toEqual([
        volume('nats-ca', 'group-payments-nats'),
        volume('postgres-ca', 'group-payments-postgres-ca'),
      ]);
      expect(spec.containers).toMatchObject([{ volumeMounts: [mount('nats-ca'), mount('postgres-ca')] }]);
      for (const { env } of spec.containers) {
        const values = Object.fromEntries(env.map(({ name, value }) => [name, value]));
        if ('NATS_URL' in values) expect(values['NATS_CA_FILE']).toBe('/etc/nats-ca/ca.crt');
        if ('DATABASE_URL' in values)
          expect(values['DATABASE_URL']).toContain('sslrootcert=/etc/postgres-ca/ca.crt');
      }
    }
  });
});
