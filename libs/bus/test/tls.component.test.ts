import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, testNats, type OwnServer } from '@gp/testing';
import { openBus } from '../src/index.ts';
import { addContract } from './support.ts';

const file = (name: string): string => join(import.meta.dirname, 'tls', name);

let secure: OwnServer;
let misnamed: OwnServer;
let plain: OwnServer;
beforeAll(async () => {
  const withCertificate = (name: string): Promise<OwnServer> =>
    testNats({ tls: { certFile: file(`${name}.crt`), keyFile: file(`${name}.key`) } });
  [secure, misnamed, plain] = await Promise.all([
    withCertificate('server'),
    withCertificate('elsewhere'),
    testNats(),
  ]);
});
afterAll(async () => {
  await Promise.all([secure, misnamed, plain].map((server) => server?.stop()));
});

/** Certificates have names, and the client checks no address. */
const byName = ({ url }: OwnServer): string => url.replace(/^\w+:\/\/127\.0\.0\.1/, 'tls://localhost');

/** Returns whether a bus connects within the second that openBus waits for it. */
async function connects(servers: string, caFile?: string): Promise<boolean> {
  const bus = await openBus({ servers, name: 'test', caFile });
  const isConnected = bus.isConnected();
  await bus.close();
  return isConnected;
}

it('a bus works over TLS with a server that its authority signed (M7)', async () => {
  const bus = await openBus({ servers: byName(secure), name: 'test', caFile: file('ca.crt') });
  await eventually(() => bus.isConnected() || undefined);
  bus.serve(addContract, ({ amount }) => Promise.resolve({ sum: amount + 1 }));
  expect(await bus.call(addContract, { amount: 1 }, { timeoutMs: 30_000 })).toEqual({ sum: 2 });
  await bus.close();
});

it('a server of another authority, or of none that Node knows, is not talked to (M7)', async () => {
  expect(await connects(byName(secure), file('other-ca.crt'))).toBe(false);
  expect(await connects(byName(secure))).toBe(false);
});

it('tls:// is never answered in the clear (M7)', async () => {
  expect(await connects(byName(plain), file('ca.crt'))).toBe(false);
});

it('a server with the certificate of another name is not talked to (M7)', async () => {
  expect(await connects(byName(misnamed), file('ca.crt'))).toBe(false);
});
