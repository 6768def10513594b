import type { Static, TSchema } from '@gp/bundled/typebox';

/** A query or command with a reply, over NATS request/reply. `Req` and `Res` are the wire shapes. */
export type RpcContract<Req, Res> = {
  readonly kind: 'rpc';
  readonly subject: string;
  readonly request: TSchema;
  readonly response: TSchema;
  /**
   * The same request twice has the same effect as once, also while the first one still runs: a caller may send it
   * again when no reply comes, so that a callee which dies during the call costs seconds.
   */
  readonly repeatable?: boolean;
  /**
   * Only an operator may call it, with a key that may do this: the caller signs each request, and the callee has the
   * signature verified before it does anything (Q66). A signed request is carried out once, so the bus sends it once (Q68).
   */
  readonly operator?: OperatorRole;
  readonly types?: { readonly request: Req; readonly response: Res };
};

/** What the keys of operators may do, in order: each includes what stands before it. */
export const OPERATOR_ROLES = ['read', 'act', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** An RPC whose messages carry up to 64 commands; each command keeps its own deadline, trace and result. */
export type BatchContract<Cmd, Res> = {
  readonly kind: 'batch';
  readonly subject: string;
  readonly command: TSchema;
  readonly response: TSchema;
  /** As in an RpcContract, for each command. */
  readonly repeatable?: boolean;
  readonly types?: { readonly command: Cmd; readonly response: Res };
};

export type StreamName = 'COMMANDS' | 'EVENTS';

/**
 * The part of a contract for durable consumers: the stream, the subjects to filter for, and the schema of every
 * payload.
 */
export type StreamContract<Payload> = {
  readonly kind: 'message';
  readonly stream: StreamName;
  readonly filters: readonly string[];
  readonly payload: TSchema;
  readonly types?: { readonly payload: Payload };
};

/**
 * A message that must survive: it is written to an outbox, and from there to a stream. A command (`cmd.…`) goes to
 * COMMANDS under its subject; a fact (`evt.…`) goes to EVENTS under its subject and a key.
 */
export type MessageContract<Payload> = StreamContract<Payload> & {
  /** The subject, or for facts its prefix: the key (a group or merchant id) follows as the last token. */
  readonly subject: string;
};

/** A message to the listeners of this moment: no stream stores it, and it is lost when nobody listens. */
export type NoteContract<Payload> = {
  readonly kind: 'note';
  readonly subject: string;
  readonly payload: TSchema;
  readonly types?: { readonly payload: Payload };
};

type Typed<T> = { readonly types?: T };
export type RequestOf<C> =
  C extends Typed<{ readonly request: infer Req; readonly response: unknown }> ? Req : never;
export type CommandOf<C> =
  C extends Typed<{ readonly command: infer Cmd; readonly response: unknown }> ? Cmd : never;
export type ResponseOf<C> = C extends Typed<{ readonly response: infer Res }> ? Res : never;
export type PayloadOf<C> = C extends Typed<{ readonly payload: infer Payload }> ? Payload : never;

const RPC = /^rpc\.[a-z_]+\.[a-z-]+\.[a-z-]+\.v\d+$/;
const MESSAGE = /^(cmd|evt)\.[a-z_]+\.[a-z_]+\.[a-z_]+\.v\d+$/;
const NOTE = /^note\.[a-z_]+\.[a-z_]+\.[a-z_]+\.v\d+$/;

export function rpc<Q extends TSchema, S extends TSchema>(
  subject: string,
  shapes: { request: Q; response: S; repeatable?: boolean; operator?: OperatorRole },
): RpcContract<Static<Q>, Static<S>> {
  return { kind: 'rpc', subject: checked(subject, RPC), ...shapes };
}

/** Returns a call with the same request and response for operators, under a subject of its own. */
export function forOperators<Req, Res>(
  subject: string,
  { contract, operator }: { contract: RpcContract<Req, Res>; operator: OperatorRole },
): RpcContract<Req, Res> {
  return { ...contract, subject: checked(subject, RPC), repeatable: false, operator };
}

export function batchRpc<C extends TSchema, S extends TSchema>(
  subject: string,
  shapes: { command: C; response: S; repeatable?: boolean },
): BatchContract<Static<C>, Static<S>> {
  return { kind: 'batch', subject: checked(subject, RPC), ...shapes };
}

export function message<P extends TSchema>(subject: string, payload: P): MessageContract<Static<P>> {
  const isCommand = checked(subject, MESSAGE).startsWith('cmd.');
  return {
    kind: 'message',
    subject,
    stream: isCommand ? 'COMMANDS' : 'EVENTS',
    filters: [isCommand ? subject : `${subject}.*`],
    payload,
  };
}

export function note<P extends TSchema>(subject: string, payload: P): NoteContract<Static<P>> {
  return { kind: 'note', subject: checked(subject, NOTE), payload };
}

function checked(subject: string, pattern: RegExp): string {
  if (!pattern.test(subject)) throw new Error(`not a subject of ours: ${subject}`);
  return subject;
}
