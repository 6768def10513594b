import { operations, type Operations } from './generated/interface.ts';
import { send, type Settings } from './send.ts';

export type CallOptions = {
  /** Names the action: give one of your own to repeat it safely after a crash. Made up where you give none. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

type Id = keyof Operations;
type Needed<T> = undefined extends T ? [input?: T] : [input: T];
/** `{}` may be left out where every part of it may. */
type Input<O extends Operations[Id]> = O['query'] extends undefined
  ? O['body'] extends undefined
    ? []
    : Needed<O['body']>
  : [query?: O['query']];

/** One method per operation: the ids of its path, then its body or query, then options. */
export type Client = {
  readonly [K in Id]: (
    ...args: [...Operations[K]['path'], ...Input<Operations[K]>, options?: CallOptions]
  ) => Promise<Operations[K]['answer']>;
};

type Described = (typeof operations)[Id];

/**
 * A client of the API under one credential. Every method answers the body of success and rejects with a
 * GroupPaymentsError, or with a NoAnswerError when none came.
 */
export function openClient(settings: Settings): Client {
  const methods = Object.entries(operations).map(([id, operation]) => [id, methodOf(settings, operation)]);
  return Object.fromEntries(methods) as Client;
}

function methodOf(settings: Settings, { method, path, hasQuery, hasBody, isIdempotent }: Described) {
  return (...args: readonly unknown[]): Promise<unknown> => {
    let at = 0;
    const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(args[at++])));
    const input = hasQuery || hasBody ? args[at++] : undefined;
    const { idempotencyKey, signal } = (args[at] ?? {}) as CallOptions;
    const key = isIdempotent ? (idempotencyKey ?? crypto.randomUUID()) : undefined;
    return send(settings, {
      method,
      path: hasQuery ? filled + queryOf(input) : filled,
      ...(hasBody && input !== undefined && { body: input }),
      ...(key !== undefined && { idempotencyKey: key }),
      ...(signal && { signal }),
    });
  };
}

function queryOf(input: unknown): string {
  const given = Object.entries((input ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined,
  );
  const query = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return query === '' ? '' : `?${query}`;
}
