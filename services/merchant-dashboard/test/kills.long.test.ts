import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gp/testing';
import { failPoints } from '../src/fail-points.ts';
import { send } from './support/client.ts';
import { openService, sendOnceUp, signUp, type Service } from './support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterEach(() => service.endProcesses());
afterAll(() => service?.close());

const list = async (path: 'keys' | 'gateways') =>
  (await send(service.port, 'GET', `/api/${path}?mode=test`, { cookie: service.cookie })).body[
    path
  ] as unknown[];

describe('a process killed at a step', () => {
  const credentials = { secret_key: 'sk_x' };
  const newKey = (at: number, name: string) =>
    sendOnceUp(at, 'POST', '/api/keys', { cookie: service.cookie, body: { mode: 'test', name } });
  const connect = (at: number) =>
    sendOnceUp(at, 'POST', '/api/gateways', {
      cookie: service.cookie,
      body: { mode: 'test', psp_code: 'gateway_b', credentials },
    });
  const killedAt = async (point: string, act: (at: number) => Promise<unknown>) => {
    expect(failPoints).toContain(point);
    const victim = service.launch({ GP_FAIL_POINT: point });
    await expect(victim.port.then(act)).rejects.toThrow();
    expect((await victim.ended).signal).toBe('SIGKILL');
  };

  it.each([
    ['dashboard.api-key.before', 0],
    ['dashboard.api-key.after', 1],
  ])(
    'a process killed at %s stores a key and its announcement together or not at all',
    async (point, expected) => {
      await killedAt(point, (at) => newKey(at, point));
      const keys = (await list('keys')) as { name: string; id: string }[];
      const made = keys.filter(({ name }) => name === point);
      expect(made).toHaveLength(expected);
      for (const { id } of made)
        await eventually(() => service.published.some((message) => message.includes(id)) || undefined);
    },
  );

  it.each(['credentials.before', 'credentials.after', 'gateway.before', 'gateway.after'])(
    'a connection entered again after a kill at dashboard.%s is one and active',
    async (step) => {
      await killedAt(`dashboard.${step}`, connect);
      expect((await connect(service.port)).status).toBe(201);
      expect(await list('gateways')).toMatchObject([{ psp_code: 'gateway_b', version: 1, active: true }]);
    },
  );

  it('a sign-up interrupted by a kill succeeds when it is repeated', async () => {
    const email = 'again@casalola.example';
    await killedAt('dashboard.merchant.before', (at) => signUp(at, email));
    expect((await signUp(service.port, email)).status).toBe(201);
  });
});
