import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importJWK, SignJWT } from '@gp/bundled/jose';
import { eventually, freePort } from '@gp/testing';

type Json = Readonly<Record<string, unknown>>;
export type OpenBao = Awaited<ReturnType<typeof openBao>>;

const ROOT_TOKEN = 'root';
const AUDIENCE = 'openbao';
const SUBJECT = 'system:serviceaccount:group-payments:checkout';
/** The key that wraps the keys of checkout, and the role that may unwrap them. */
const NAME = 'group-payments-checkout';

/**
 * Starts OpenBao with TLS and an authority of its own: a transit engine, and a role that logs in by a JWT, as the token of a pod
 * is, and may unwrap the keys of checkout and nothing else.
 */
export async function openBao(program: string) {
  const folder = await mkdtemp(join(tmpdir(), 'gp-bao-'));
  const port = await freePort();
  const options = [
    '-dev',
    '-dev-tls',
    `-dev-tls-cert-dir=${folder}`,
    `-dev-root-token-id=${ROOT_TOKEN}`,
    '-dev-no-store-token',
    `-dev-listen-address=127.0.0.1:${port}`,
  ];
  const child = spawn(program, ['server', ...options], { env: { HOME: folder, PATH: process.env['PATH'] } });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const caFile = join(folder, 'vault-ca.pem');
  const jwtFile = join(folder, 'token');
  const unsealKey = await eventually(() => /Unseal Key: (\S+)/.exec(output)?.[1]);
  const ca = await readFile(caFile);
  const call = async (method: string, path: string, body?: Json): Promise<Json> => {
    const { status, text } = await send({ method, port, path, ca, body });
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    return text === '' ? {} : ((JSON.parse(text) as { data?: Json }).data ?? {});
  };
  await configure(call, jwtFile);
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };

  return {
    /** Settings of a process that logs in by its role. */
    settings: {
      KMS_URL: `https://localhost:${port}`,
      KMS_CA_FILE: caFile,
      KMS_KEY: NAME,
      KMS_ROLE: NAME,
      KMS_LOGIN_PATH: 'auth/jwt/login',
      KMS_JWT_FILE: jwtFile,
    },
    /** Makes a key for a service, which nobody but the engine can unwrap. */
    newKey: async () => String((await call('POST', `transit/datakey/wrapped/${NAME}`))['ciphertext']),
    /** Makes the next version of the wrapping key. */
    rotate: () => call('POST', `transit/keys/${NAME}/rotate`),
    /** Wraps a key again under the newest version, without showing it. */
    rewrap: async (ciphertext: string) =>
      String((await call('POST', `transit/rewrap/${NAME}`, { ciphertext }))['ciphertext']),
    /** Ends the older versions of the wrapping key. */
    endVersionsBelow: (version: number) =>
      call('POST', `transit/keys/${NAME}/config`, { min_decryption_version: version }),
    seal: () => call('PUT', 'sys/seal'),
    unseal: () => call('PUT', 'sys/unseal', { key: unsealKey }),
    stop,
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function configure(
  call: (method: string, path: string, body?: Json) => Promise<Json>,
  jwtFile: string,
): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await call('POST', 'sys/mounts/transit', { type: 'transit' });
  await call('POST', `transit/keys/${NAME}`);
  const policy = `path "transit/decrypt/${NAME}" { capabilities = ["update"] }`;
  await call('PUT', `sys/policies/acl/${NAME}`, { policy });
  await call('POST', 'sys/auth/jwt', { type: 'jwt' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await call('POST', 'auth/jwt/config', { jwt_validation_pubkeys: [pem] });
  await call('POST', `auth/jwt/role/${NAME}`, {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: [AUDIENCE],
    bound_subject: SUBJECT,
    token_policies: [NAME],
    token_ttl: '1m',
  });
  const jwt = new SignJWT({ sub: SUBJECT }).setProtectedHeader({ alg: 'ES256' }).setIssuedAt();
  jwt.setAudience(AUDIENCE).setExpirationTime('1h');
  const key = await importJWK(privateKey.export({ format: 'jwk' }) as Json, 'ES256');
  await writeFile(jwtFile, `${await jwt.sign(key)}\n`);
}

type Sent = {
  readonly method: string;
  readonly port: number;
  readonly path: string;
  readonly ca: Buffer;
  readonly body: Json | undefined;
};

function send({ method, port, path, ca, body }: Sent): Promise<{ status: number; text: string }> {
  const headers = { 'x-vault-token': ROOT_TOKEN };
  return new Promise((resolve, reject) => {
    const options = { host: 'localhost', port, method, path: `/v1/${path}`, ca, headers, agent: false };
    const sent = request(options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}
