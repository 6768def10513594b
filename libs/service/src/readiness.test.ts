import { expect, it } from '@jest/globals';
import { AppError } from '@gp/errors';
import { readiness } from './readiness.ts';

it('readiness names every probe that fails, with a code and never a message', async () => {
  const probes = readiness();
  probes.add('fine', () => undefined);
  probes.add('true', () => true);
  probes.add('nats', () => false);
  probes.add('postgres', () => Promise.reject(new AppError('service_unavailable', { message: 'password' })));
  probes.add('broken', () => {
    throw new Error('password');
  });
  expect(await probes.check()).toEqual({
    ready: false,
    failing: { nats: 'unavailable', postgres: 'service_unavailable', broken: 'Error' },
  });
});

it('a probe that does not reply counts as failing, and the others are still read', async () => {
  const probes = readiness();
  probes.add('hanging', () => new Promise<void>(() => undefined));
  probes.add('fine', async () => true);
  expect(await probes.check()).toEqual({ ready: false, failing: { hanging: 'timeout' } });
});

it('readiness without probes is ready', async () => {
  expect(await readiness().check()).toEqual({ ready: true, failing: {} });
});
