import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@gp/errors';
import { postJson, TransitFault, type TransitReply } from './transit-request.ts';

/** A transit engine of OpenBao or HashiCorp Vault, and how a process proves its identity there. */
export type Transit = {
  /** The address of the server; https, or http on this machine for an agent that adds the token. */
  readonly url: string;
  /** The path of the engine. */
  readonly mount: string;
  /** The name of the key in the engine that wraps this service's keys. */
  readonly key: string;
  readonly caFile?: string | undefined;
  readonly token?: string | undefined;
  /** In place of a token: a role, for which the login takes the JWT in a file. */
  readonly login?: { readonly role: string; readonly path: string; readonly jwtFile: string } | undefined;
};

/** A key as an engine wraps it: the name of the format, the version of the wrapping key, and the ciphertext. */
export const WRAPPED = /^vault:v\d+:[A-Za-z0-9+/]+={0,2}$/;

/** Long enough for a server that is restarted or elects a leader; a supervisor tries again after that. */
const PATIENCE_MS = 30_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;

/**
 * Unwraps a service's keys, in the order given. Waits for a server that does not answer, is sealed or overloaded, and
 * rejects after half a minute, or at once when it refuses; the error names the cause, and neither keys nor tokens.
 */
export async function unwrapKeys(
  transit: Transit,
  wrapped: readonly string[],
  patienceMs = PATIENCE_MS,
): Promise<Buffer[]> {
  const giveUpAt = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await tryUnwrap(transit, wrapped);
    } catch (error) {
      const isLasting = !(error instanceof TransitFault) || !error.isPassing;
      if (isLasting || performance.now() + pauseMs > giveUpAt) throw toStartError(transit, error);
      await delay(pauseMs);
    }
  }
}

async function tryUnwrap(transit: Transit, wrapped: readonly string[]): Promise<Buffer[]> {
  const token = await findToken(transit);
  const keys: Buffer[] = [];
  for (const ciphertext of wrapped) {
    const answer = await post(transit, `${transit.mount}/decrypt/${transit.key}`, { ciphertext }, token);
    const { plaintext } = (answer['data'] ?? {}) as { plaintext?: unknown };
    if (typeof plaintext !== 'string') throw new TransitFault('unwrapped nothing');
    keys.push(Buffer.from(plaintext, 'base64'));
  }
  return keys;
}

async function findToken(transit: Transit): Promise<string | undefined> {
  if (!transit.login) return transit.token;
  const { role, path, jwtFile } = transit.login;
  const jwt = (await readFile(jwtFile, 'utf8')).trim();
  const { auth } = await post(transit, path, { role, jwt });
  const { client_token } = (auth ?? {}) as { client_token?: unknown };
  if (typeof client_token !== 'string') throw new TransitFault('logged in without a token');
  return client_token;
}

async function post(transit: Transit, path: string, body: object, token?: string): Promise<TransitReply> {
  const ca = transit.caFile === undefined ? undefined : await readFile(transit.caFile);
  const url = new URL(`v1/${path}`, transit.url.endsWith('/') ? transit.url : `${transit.url}/`);
  return postJson(url, body, { ca, token });
}

/** An AppError, because logs repeat the message of no other one. */
function toStartError({ url }: Transit, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `the KMS at ${new URL(url).host} gave no encryption keys: ${reason}`;
  return new AppError('service_unavailable', { message }, { cause });
}
