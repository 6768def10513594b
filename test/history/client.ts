import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@gp/testing';
import { send, type Answer, type Group, type Json, type Pay } from '../support/api.ts';
import type { Merchant, StackFile } from '../support/stack.ts';
import { count, type ClientRecord } from './record.ts';

/** How long a client repeats a request before it leaves its outcome to fate: longer than any one process is away. */
const PATIENCE_MS = 25_000;

/** Result of a request: a value, a refusal's code, or neither when no answer came in time. */
export type Done<T> = { readonly result?: T; readonly refusal?: unknown };

/** A request that was answered with success, and what is needed to send it once more. */
export type Acknowledged = {
  readonly path: string;
  readonly key: string;
  readonly body: Json;
  readonly answer: Json;
};

type RefundAnswer = Pick<ClientRecord['refunded'][number], 'refunded_payment_intents' | 'failed'>;

/** A merchant's server: repeats what was not answered under the same key, and remembers every success. */
export function openHistoryClient(stack: StackFile, merchant: Merchant, record: ClientRecord) {
  const authorization = `Bearer ${merchant.test_key}`;

  const ask = async (path: string, body: Json, key?: string): Promise<Answer | undefined> => {
    const headers = { authorization, ...(key !== undefined && { 'idempotency-key': key }) };
    for (const giveUpAt = Date.now() + PATIENCE_MS; Date.now() < giveUpAt; await delay(300)) {
      const answer = await send('POST', stack.api + path, body, headers).catch(() => undefined);
      if (answer && answer.status < 500 && answer.status !== 429 && !isInUse(answer)) return answer;
      if (answer && isDone(answer)) return answer;
    }
    return undefined;
  };

  const readClock = async (): Promise<Json | undefined> => {
    const url = `${stack.api}/v1/test/clock`;
    const answer = await send('GET', url, undefined, { authorization }).catch(() => undefined);
    return answer?.status === 200 ? answer.body : undefined;
  };

  const acknowledged: Acknowledged[] = [];
  /** Does something once. */
  const act = async <T>(path: string, body: Json): Promise<Done<T>> => {
    const key = randomUUID();
    const answer = await ask(path, body, key);
    count(record, `${path.split('/').at(-1)} ${label(answer)}`);
    if (!answer || !isDone(answer)) return { refusal: answer?.body['code'] };
    acknowledged.push({ path, key, body, answer: answer.body });
    return { result: answer.body as T };
  };

  return {
    merchant,
    /** The requests of this part that were done: keys of an earlier part may be forgotten by now. */
    acknowledged: acknowledged as readonly Acknowledged[],
    async create(body: Json): Promise<Group | undefined> {
      const { result: group } = await act<Group>('/v1/group-payments', body);
      if (!group) return undefined;
      const slot_ids = group.payment_slots.map(({ id }) => id);
      record.created.push({ merchant: merchant.name, group_id: group.group_payment.id, slot_ids });
      return group;
    },
    async pay(groupId: string, body: Json): Promise<Done<Pay>> {
      const done = await act<Pay>(`/v1/group-payments/${groupId}/pay`, body);
      if (done.result) {
        const { payment_intent_id, slot_ids } = done.result;
        record.paid.push({ payment_intent_id, slot_ids });
      }
      return done;
    },
    async refund(groupId: string, body: Json): Promise<void> {
      const { result } = await act<RefundAnswer>(`/v1/group-payments/${groupId}/refund`, body);
      if (!result) return;
      const { refunded_payment_intents, failed } = result;
      record.refunded.push({ group_id: groupId, refunded_payment_intents, failed });
    },
    /** Advances the merchant's time, once; without an answer, it may have moved or not. */
    async travel(seconds: number): Promise<void> {
      const answer = await ask('/v1/test/clock/advance', { seconds }, randomUUID());
      count(record, `travel ${label(answer)}`);
      record.travelled.push({ merchant: merchant.name, seconds, isAnswered: answer?.status === 200 });
    },
    /** The merchant's own time, ms, or real time when no answer comes. */
    async now(): Promise<number> {
      const clock = await readClock();
      return clock ? Date.parse(String(clock['now'])) : Date.now();
    },
    /**
     * The merchant's own time, ms, once it has come as far as it was asked to go. A clock stops at each timer on its way,
     * so a long way takes minutes: rejects when it has not moved for one.
     */
    async arrival(): Promise<number> {
      let left = Infinity;
      while (left > 0)
        left = await eventually(async () => {
          const remaining = Number((await readClock())?.['remaining_seconds']);
          return remaining < left ? remaining : undefined;
        });
      return Date.parse(String((await eventually(readClock))['now']));
    },
    /** How far the merchant's time has been asked to go, s. Rejects when no answer comes. */
    async aheadSeconds(): Promise<number> {
      const clock = await eventually(readClock);
      return Number(clock['ahead_seconds']) + Number(clock['remaining_seconds']);
    },
    async confirm(groupId: string, body: Json): Promise<boolean> {
      const answer = await ask(`/v1/group-payments/${groupId}/confirm`, body);
      count(record, `confirm ${label(answer)}`);
      if (answer?.status !== 200) return false;
      record.confirmed.push(String(body['payment_intent_id']));
      return true;
    },
    /** The same request again, as after a lost answer. */
    repeat: (done: Acknowledged) => ask(done.path, done.body, done.key),
  };
}
export type Client = ReturnType<typeof openHistoryClient>;

/** A refund of which no gateway gave anything back is an answer, although its status says server. */
const isDone = ({ status, body }: Answer) => status < 300 || (status === 502 && 'group_state' in body);
const isInUse = ({ body }: Answer) => body['code'] === 'idempotency_key_in_use';
const label = (answer: Answer | undefined) =>
  answer ? [answer.status, answer.body['code']].filter(Boolean).join(' ') : 'unanswered';
