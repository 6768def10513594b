import { createHash, randomBytes } from 'node:crypto';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { Caller } from '../callers/caller.ts';

/** A request that changes state, with the fields that identify a repetition. */
export type Command = {
  readonly caller: Caller;
  /** The Idempotency-Key, if there is one. */
  readonly key: string | undefined;
  readonly method: string;
  readonly path: string;
  /** The body as parsed, with exact numbers. */
  readonly body: unknown;
  readonly requestId: string;
};

/** Identifies a command to the service that executes it: one id is executed once, and only with one input. */
export type Identity = { readonly command_id: string; readonly fingerprint: string };

/** The identity of a command with a key: equal for its repetitions, across replicas and crashes. */
export function deriveIdentity(command: Command, key: string): Identity {
  const { merchantId, mode, principal } = command.caller;
  // A response may hold a payer's client secret: it is repeated to the token of the first request, and to no other one.
  const token = command.caller.kind === 'session_token' ? [command.caller.tokenId] : [];
  return {
    command_id: sha256(JSON.stringify([merchantId, mode, principal, key, ...token])),
    fingerprint: sha256(`${command.method} ${command.path}\n${canonicalJson(command.body)}`),
  };
}

/** The identity of a command that cannot be repeated: it will never be compared with another. */
export function freshIdentity(): Identity {
  const once = randomBytes(32).toString('hex');
  return { command_id: once, fingerprint: once };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
