import { naturalBatch } from '@gp/primitives';
import type { BatchContract } from '@gp/contracts';
import { AppError, fromWire } from '@gp/errors';
import { ask } from './call.ts';
import type { Requests } from './requests.ts';
import { trace } from './trace.ts';
import { DEFAULT_TIMEOUT_MS, overloaded, parseJson, type Reply } from './wire.ts';

/** A message stays under half of NATS' default limit of 1 MiB, because its reply may be larger. */
const MAX_BYTES = 512 * 1024;
const MAX_COMMANDS = 64;

export type CoalesceOptions = { maxSize?: number; maxQueued?: number; inFlight?: number };

type Target = Pick<BatchContract<unknown, unknown>, 'subject' | 'repeatable'>;
type Entry = { deadline: number; bytes: number; text: string };
type SettledEntry = { value: unknown } | Error;

/**
 * Sends many commands in few messages: commands that queued while the previous messages were in flight go
 * together. Every command keeps its own deadline, trace and result.
 */
export function coalescer(
  requests: Requests,
  target: Target,
  o: CoalesceOptions,
): (command: unknown, deadline?: number) => Promise<unknown> {
  const enqueue = naturalBatch<Entry, { value: unknown }>({
    maxSize: Math.min(o.maxSize ?? MAX_COMMANDS, MAX_COMMANDS),
    maxQueued: o.maxQueued ?? 1_024,
    inFlight: o.inFlight ?? 2,
    overloaded,
    run: (entries) => sendAll(requests, target, entries),
  });
  return (command, deadline = Date.now() + DEFAULT_TIMEOUT_MS) =>
    trace().run({ kind: 'client', subject: target.subject }, async () => {
      const entry = encodeEntry(command, deadline);
      if (entry.bytes > MAX_BYTES) throw new AppError('payload_too_large');
      return (await untilDeadline(enqueue(entry), deadline)).value;
    });
}

function encodeEntry(command: unknown, deadline: number): Entry {
  const text = JSON.stringify({ deadline, traceparent: trace().current(), command });
  return { deadline, text, bytes: Buffer.byteLength(text) };
}

/** Expired commands are not sent; the others go in as few messages as their size allows. */
async function sendAll(
  requests: Requests,
  target: Target,
  entries: readonly Entry[],
): Promise<readonly SettledEntry[]> {
  const now = Date.now();
  const settled: SettledEntry[] = entries.map(() => new AppError('deadline_exceeded'));
  const alive = entries.map((entry, at) => ({ entry, at })).filter(({ entry }) => entry.deadline > now);
  const send = async (part: typeof alive): Promise<void> => {
    const answers = await sendPart(
      requests,
      target,
      part.map(({ entry }) => entry),
    );
    part.forEach(({ at }, i) => (settled[at] = answers[i] ?? new AppError('internal_error')));
  };
  await Promise.all(splitIntoParts(alive).map(send));
  return settled;
}

function splitIntoParts<T extends { entry: Entry }>(items: readonly T[]): T[][] {
  const parts: T[][] = [];
  let room = 0;
  for (const item of items) {
    const last = parts.at(-1);
    if (last && item.entry.bytes <= room) last.push(item);
    else {
      parts.push([item]);
      room = MAX_BYTES;
    }
    room -= item.entry.bytes + 1;
  }
  return parts;
}

async function sendPart(
  requests: Requests,
  target: Target,
  entries: readonly Entry[],
): Promise<readonly SettledEntry[]> {
  const body = `{"commands":[${entries.map((e) => e.text).join(',')}]}`;
  // The message waits until the latest deadline of its commands; each command gives up at its own.
  const deadline = Math.max(...entries.map((e) => e.deadline));
  try {
    const { subject, repeatable } = target;
    const msg = await ask(requests, subject, body, { deadline, repeatable });
    const answer = parseJson(msg.string()) as { results?: readonly Reply[] } & Reply;
    if (answer.results?.length !== entries.length) {
      const error = 'error' in answer ? fromWire(answer.error) : new AppError('internal_error');
      return entries.map(() => error);
    }
    return answer.results.map((r) => ('error' in r ? fromWire(r.error) : { value: r.ok }));
  } catch (e) {
    const error = e instanceof Error ? e : new AppError('internal_error', {}, { cause: e });
    return entries.map(() => error);
  }
}

function untilDeadline<T>(promise: Promise<T>, deadline: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('deadline_exceeded')), deadline - Date.now());
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
