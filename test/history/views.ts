import type pg from 'pg';
import { Type, type Static } from '@gp/bundled/typebox';
import { pspCodes } from '@gp/gateway-registry';
import { sendUntilAnswered, type Group } from '../support/api.ts';
import type { BookedPayment } from '../support/books.ts';
import type { StackFile } from '../support/stack.ts';
import type { Client } from './client.ts';
import type { ClientRecord } from './record.ts';

export type LedgerGroup = { id: string; merchant_id: string; state: string; total_minor: string };
export type LedgerIntent = {
  id: string;
  group_id: string;
  psp_code: string;
  state: string;
  amount_minor: string;
  tip_minor: string;
  amount_captured: string;
  amount_refunded: string;
  slot_ids: string[];
};
export type LedgerEvent = { id: string; group_id: string; type: string; sequence: number };
export type Transition = {
  group_id: string;
  entity: 'group' | 'slot' | 'intent' | 'attempt';
  entity_id: string;
  state_from: string | null;
  state_to: string;
};
/** An event as an endpoint received it; the judges ask for no more of it. */
export const HeardEvent = Type.Object({
  id: Type.String(),
  type: Type.String(),
  group_id: Type.String(),
  sequence: Type.Integer(),
});
export type HeardEvent = Static<typeof HeardEvent>;

/** A message that a consumer of any service gave up: it stays unprocessed until an operator acts. */
export type DeadLetter = { id: string; consumer: string; subject: string; reason: string };

/** The same payments as four parties see them, and the answers that the clients got on the way. */
export type Views = {
  readonly api: readonly Group[];
  readonly ledger: {
    readonly groups: readonly LedgerGroup[];
    readonly intents: readonly LedgerIntent[];
    readonly events: readonly LedgerEvent[];
    /** In the order they were written. */
    readonly transitions: readonly Transition[];
  };
  readonly books: readonly BookedPayment[];
  readonly heard: readonly HeardEvent[];
  readonly dead: readonly DeadLetter[];
  /** How far ahead each merchant's time is, s, by the merchant's name. */
  readonly clocks: ReadonlyMap<string, number>;
  readonly record: ClientRecord;
};

/** Reads every view of a platform on which nothing ran but this history. */
export async function readViews(o: {
  stack: StackFile;
  database: pg.Client;
  heard: readonly HeardEvent[];
  clients: readonly Client[];
  record: ClientRecord;
}): Promise<Views> {
  const rows = async <T>(text: string) => (await o.database.query(text)).rows as T[];
  const groups = await rows<LedgerGroup>(
    'select id, merchant_id, state, total_minor from group_ledger.groups',
  );
  return {
    api: await readApi(o.stack, groups),
    ledger: {
      groups,
      intents: await rows(
        `select id, group_id, psp_code, state, amount_minor, tip_minor, amount_captured, amount_refunded, slot_ids
           from group_ledger.intents`,
      ),
      events: await rows('select id, group_id, type, sequence from group_ledger.events'),
      transitions: await rows(
        `select group_id, entity, entity_id, state_from, state_to from group_ledger.transitions
          order by group_id, group_version, id`,
      ),
    },
    books: await readBooks(o.stack),
    heard: o.heard,
    dead: await readDeadLetters(rows),
    clocks: await readClocks(o.clients),
    record: o.record,
  };
}

async function readClocks(clients: readonly Client[]): Promise<ReadonlyMap<string, number>> {
  const read = clients.map(async (client) => [client.merchant.name, await client.aheadSeconds()] as const);
  return new Map(await Promise.all(read));
}

async function readDeadLetters(rows: <T>(text: string) => Promise<T[]>): Promise<DeadLetter[]> {
  const kept = await rows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_name = 'dead_letters'`,
  );
  if (kept.length === 0) throw new Error('nobody keeps dead letters');
  const lists = kept.map(({ name }) => `select message_id as id, consumer, subject, reason from ${name}`);
  return rows(lists.join(' union all '));
}

/** Each merchant reads its groups one after the other: a long history has thousands. */
async function readApi(stack: StackFile, groups: readonly LedgerGroup[]): Promise<Group[]> {
  const read = [...Map.groupBy(groups, ({ merchant_id }) => merchant_id)].map(async ([merchantId, all]) => {
    const key = stack.merchants.find(({ merchant_id }) => merchant_id === merchantId)?.test_key;
    const shown: Group[] = [];
    for (const { id } of all) {
      const url = `${stack.api}/v1/group-payments/${id}`;
      const { body } = await sendUntilAnswered('GET', url, undefined, { authorization: `Bearer ${key}` });
      shown.push(body as Group);
    }
    return shown;
  });
  return (await Promise.all(read)).flat();
}

/** The most payments that the sandbox shows at once. */
const MOST_BOOKED = 50_000;

async function readBooks(stack: StackFile): Promise<BookedPayment[]> {
  const books: BookedPayment[][] = [];
  for (const gateway of pspCodes) {
    const url = `${stack.sandbox}/control/books?gateway=${gateway}&limit=${MOST_BOOKED}`;
    const { body } = await sendUntilAnswered('GET', url);
    const payments = body['payments'] as BookedPayment[];
    if (payments.length === MOST_BOOKED) throw new Error(`the books of ${gateway} are too long to be read`);
    books.push(payments);
  }
  return books.flat();
}
