import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { certificateFor } from '@gp/testing';
import { keysFromTransit, openSeal, sealUnder, type Transit } from '../src/index.ts';

/*
 * A stand-in for the transit engine, for answers that a real one gives in trouble only. It follows the published HTTP API of
 * OpenBao; services/checkout/test/kms.long.test.ts uses the real server.
 */
type Call = { readonly path: string; readonly token: string | undefined; readonly body: unknown };
type Reply = { readonly status: number; readonly body: unknown } | 'hang up';

const key = randomBytes(32);
const old = randomBytes(32);
const wrapped = new Map([
  [`vault:v2:${'A'.repeat(80)}`, key],
  [`vault:v1:${'B'.repeat(80)}`, old],
]);
const [newestWrapped = '', oldWrapped = ''] = wrapped.keys();

let folder: string;
let calls: Call[];
/** Replies to the next calls; then the engine answers as it should. */
let troubles: Reply[];
const closing: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gp-kms-'));
  calls = [];
  troubles = [];
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await rm(folder, { recursive: true });
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString();
  const body = JSON.parse(text) as Record<string, string>;
  const token = request.headers['x-vault-token'] as string | undefined;
  calls.push({ path: request.url ?? '', token, body });
  const reply = troubles.shift() ?? answer(request.url ?? '', body);
  if (reply === 'hang up') return void request.socket.destroy();
  response.writeHead(reply.status, { 'content-type': 'application/json' });
  response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
}

function answer(path: string, body: Record<string, string>): Reply {
  if (path.endsWith('/login')) return { status: 200, body: { auth: { client_token: `for-${body['jwt']}` } } };
  const plaintext = wrapped.get(body['ciphertext'] ?? '')?.toString('base64');
  if (plaintext === undefined) return { status: 400, body: { errors: ['invalid ciphertext'] } };
  return { status: 200, body: { data: { plaintext } } };
}

async function open(tls?: { key: string; cert: string }): Promise<number> {
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response);
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const transitAt = (port: number): Transit => ({
  url: `http://127.0.0.1:${port}`,
  mount: 'transit',
  key: 'group-payments-checkout',
  token: 's.secret-token',
});
const load = async (o: Partial<Transit> = {}, patienceMs = 10_000) =>
  keysFromTransit(
    { encryptionKey: newestWrapped, previousEncryptionKeys: oldWrapped },
    { ...transitAt(await open()), ...o },
    patienceMs,
  ).loadKeys();

const catchText = (work: Promise<unknown>): Promise<string> => work.then(() => 'no error', String);

describe('keys that a transit engine unwraps', () => {
  it('each wrapped key is unwrapped once, in its order, with the token (Y10)', async () => {
    const { newest, previous } = await load();
    expect([newest, ...previous]).toEqual([key, old]);
    const path = '/v1/transit/decrypt/group-payments-checkout';
    expect(calls).toEqual([
      { path, token: 's.secret-token', body: { ciphertext: newestWrapped } },
      { path, token: 's.secret-token', body: { ciphertext: oldWrapped } },
    ]);
  });

  it('keys that are not wrapped are taken as they are, in their place (Y10)', async () => {
    const plain = randomBytes(32);
    const encryptionKey = plain.toString('base64');
    const kms = transitAt(await open());
    const before = await keysFromTransit(
      { encryptionKey, previousEncryptionKeys: newestWrapped },
      kms,
    ).loadKeys();
    expect(before).toEqual({ newest: plain, previous: [key] });
    const after = { encryptionKey: newestWrapped, previousEncryptionKeys: encryptionKey };
    expect(await keysFromTransit(after, kms).loadKeys()).toEqual({ newest: key, previous: [plain] });
  });

  it('nothing is asked of the KMS after the start, however much is sealed and opened (Y3, Y10)', async () => {
    const port = await open();
    const seal = await openSeal({
      encryptionKey: newestWrapped,
      kmsUrl: `http://127.0.0.1:${port}/`,
      kmsKey: 'group-payments-checkout',
    });
    for (let n = 0; n < 100; n++) expect(seal.open(seal.seal('a secret', 'row 1'), 'row 1')).toBe('a secret');
    expect(calls).toHaveLength(1);
    expect(seal.keyIds).toEqual(sealUnder({ newest: key, previous: [] }).keyIds);
  });

  it('a role logs in by the JWT of a file, whose token then unwraps (Y10)', async () => {
    const jwtFile = join(folder, 'token');
    await writeFile(jwtFile, 'ey.jwt\n');
    await load({ token: undefined, login: { role: 'checkout', path: 'auth/kubernetes/login', jwtFile } });
    expect(calls[0]).toEqual({
      path: '/v1/auth/kubernetes/login',
      token: undefined,
      body: { role: 'checkout', jwt: 'ey.jwt' },
    });
    expect(calls[1]).toMatchObject({ token: 'for-ey.jwt' });
  });

  it('a server is trusted by the given authority only (Y10)', async () => {
    const tls = certificateFor('localhost');
    const port = await open(tls);
    const caFile = join(folder, 'ca.crt');
    await writeFile(caFile, tls.cert);
    const url = `https://localhost:${port}`;
    expect((await load({ url, caFile })).newest).toEqual(key);
    await expect(load({ url }, 0)).rejects.toThrow(/gave no encryption keys: .*SELF_SIGNED/);
    expect(calls).toHaveLength(2);
  });
});

describe('a KMS in trouble', () => {
  it.each<[string, Reply]>([
    ['is sealed', { status: 503, body: { errors: ['Vault is sealed'] } }],
    ['fails', { status: 500, body: {} }],
    ['has too many requests', { status: 429, body: {} }],
    ['ends the connection', 'hang up'],
  ])('a KMS that %s for a moment is asked again (Y10)', async (_what, trouble) => {
    troubles = [trouble, trouble];
    expect((await load()).newest).toEqual(key);
  });

  it('a KMS that stays away ends the start with its address and the cause (Y10)', async () => {
    const port = await open();
    await closing.pop()?.();
    const away = keysFromTransit({ encryptionKey: newestWrapped }, transitAt(port), 600).loadKeys();
    await expect(away).rejects.toThrow(`the KMS at 127.0.0.1:${port} gave no encryption keys: ECONNREFUSED`);
  });

  it.each<[string, Reply, RegExp]>([
    [
      'refuses the token',
      { status: 403, body: { errors: ['permission denied'] } },
      /answered 403: permission denied$/,
    ],
    ['does not know the key', { status: 404, body: { errors: [] } }, /answered 404$/],
    [
      'cannot unwrap',
      { status: 400, body: { errors: ['invalid\nciphertext'] } },
      /answered 400: invalid ciphertext$/,
    ],
    ['answers without JSON', { status: 200, body: '<html>' }, /answered without JSON$/],
    ['answers without a key', { status: 200, body: { data: {} } }, /unwrapped nothing$/],
  ])('a KMS that %s is not asked again, and the error says why (Y10)', async (_what, trouble, error) => {
    troubles = [trouble];
    await expect(load()).rejects.toThrow(error);
    expect(calls).toHaveLength(1);
  });

  it('an answer without end is given up, and errors repeat neither keys nor tokens (Y10)', async () => {
    troubles = [{ status: 200, body: 'x'.repeat(200_000) }];
    const failed = await catchText(load({}, 0));
    expect(failed).toMatch(/the answer is too long/);
    troubles = [{ status: 403, body: { errors: ['permission denied'] } }];
    const refused = await catchText(load());
    for (const secret of ['s.secret-token', newestWrapped, key.toString('base64')])
      expect(failed + refused).not.toContain(secret);
  });

  it('an unwrapped key of another length is refused (Y10)', async () => {
    troubles = [{ status: 200, body: { data: { plaintext: Buffer.alloc(16).toString('base64') } } }];
    const keys = await keysFromTransit({ encryptionKey: newestWrapped }, transitAt(await open())).loadKeys();
    expect(() => sealUnder(keys)).toThrow('an encryption key must be 32 bytes in base64');
  });
});
