import { changeTimers, type TimerInstruction } from '@gp/contracts';
import { findsNothing, hex, isoText, instant, parse, text, type Handler, type Schema } from './schema.ts';
import {
  openLedgerTables,
  toConnectionKey,
  type ConnectionRow,
  type GroupRow,
  type LedgerTables,
  type SlotRow,
} from './ledger-tables.ts';
import { commonHandlers, insertMessages, relayDue } from './outbox.ts';
import { reconciliationDue, reconciliationHandlers, type ReconciliationTables } from './reconciliation.ts';
import { saveDecision } from './save-decision.ts';
import { ConstraintViolation } from './table.ts';
import { openReconciliationTables } from './reconciliation.ts';

export type FullLedgerTables = LedgerTables & ReconciliationTables;

const loadGroup: Handler<LedgerTables> = (tables, values, { nowMs }) => {
  const [groupId, merchantId, mode, consumer, messageId, commandId, email] = values;
  const bundle = tables.groups.get(text(groupId));
  if (!bundle) return [];
  const { group, slots, intents, attempts, orders } = bundle;
  if (merchantId !== null && (group.merchant_id !== merchantId || group.mode !== mode)) return [];
  const command = commandId === null ? undefined : tables.commands.get(hex(commandId));
  const customer =
    email === null ? undefined : tables.customers.get(`${group.merchant_id} ${group.mode} ${text(email)}`);
  const connections = [...tables.connections.by('scope', `${group.merchant_id} ${group.mode}`)];
  return [
    {
      now: new Date(nowMs),
      group,
      slots,
      intents: [...intents].sort(byId),
      attempts: [...attempts].sort((a, b) => a.seq - b.seq),
      orders: [...orders].sort(byId),
      is_processed: consumer !== null && tables.inbox.has(`${text(consumer)} ${text(messageId)}`),
      command: command ? pickCommand(command) : null,
      customer_id: customer?.id ?? null,
      connections: connections.map(({ psp_code, version, active, revoked }) => ({
        psp_code,
        version,
        active,
        revoked,
      })),
    },
  ];
};

function pickCommand({ fingerprint, group_id, intent_id, refund_id }: Readonly<Record<string, unknown>>) {
  return { fingerprint, group_id, intent_id, refund_id };
}

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

const WEEK_MS = 168 * 3_600_000;

const createGroups: Handler<LedgerTables> = (tables, values, moment) => {
  const columns = values as readonly (readonly unknown[])[];
  const madeAt = isoText(moment.nowMs);
  const claimed = new Map<string, Date>();
  columns[2]?.forEach((id, at) => {
    const [commandId, fingerprint] = [hex(columns[0]?.[at]), hex(columns[1]?.[at])];
    const expiresMs = instant(columns[11]?.[at]);
    if (tables.commands.has(commandId)) return;
    if (expiresMs <= moment.nowMs || expiresMs > moment.nowMs + WEEK_MS) return;
    tables.commands.put({ id: commandId, fingerprint, group_id: text(id), intent_id: null, refund_id: null });
    const group = newGroup(columns, at, madeAt);
    if (tables.groups.count('orderId', `${group.merchant_id} ${group.merchant_order_id}`) > 0)
      throw new ConstraintViolation('groups_are_told_apart_by_order_id');
    const rows = { intents: [], attempts: [], orders: [], postings: [], events: [], transitions: [] };
    tables.groups.insert(
      { group, slots: newSlots(columns, group.id, madeAt), ...rows },
      'groups_have_one_row_per_id',
    );
    claimed.set(group.id, new Date(moment.nowMs));
  });
  tellTimers(tables, columns, claimed, moment);
  return [...claimed].map(([group_id, created_at]) => ({ group_id, created_at }));
};

function newGroup(columns: readonly (readonly unknown[])[], at: number, madeAt: string): GroupRow {
  const read = (column: number): unknown => columns[column]?.[at] ?? null;
  return {
    id: text(read(2)),
    merchant_id: text(read(3)),
    mode: text(read(4)),
    group_name: read(5),
    merchant_order_id: text(read(6)),
    total_minor: Number(read(7)),
    currency: text(read(8)),
    metadata: parse(read(9)),
    page_token: text(read(10)),
    expires_at: isoText(instant(read(11))),
    ...{ state: 'open', expired_at: null, cancelled_at: null, capture_stopped_at: null },
    ...{ version: 1, sequence: 0, refund_number: 0, created_at: madeAt, updated_at: madeAt },
    traceparent: read(21),
    ...{ organiser_token: read(24), organiser_rights: parse(read(25)), organiser_link_number: 0 },
    capture_minimum_minor: read(26) === null ? null : Number(read(26)),
    capture_minimum_slots: read(27) === null ? null : Number(read(27)),
    max_tip_minor: read(28) === null ? null : Number(read(28)),
  };
}

function newSlots(columns: readonly (readonly unknown[])[], groupId: string, madeAt: string): SlotRow[] {
  const [groups, numbers, ids, amounts, metadata] = columns.slice(12, 17);
  const labels = columns[23];
  return (groups ?? []).flatMap((group, at) =>
    group !== groupId
      ? []
      : [
          {
            sequence_no: Number(numbers?.[at]),
            id: text(ids?.[at]),
            amount_minor: Number(amounts?.[at]),
            metadata: parse(metadata?.[at] ?? null),
            label: labels?.[at] ?? null,
            ...{ state: 'unassigned', assigned_customer_id: null, reserved_until: null, intent_id: null },
            updated_at: madeAt,
          },
        ],
  );
}

/** One message for the timers of all new groups of a mode. */
function tellTimers(
  tables: LedgerTables,
  columns: readonly (readonly unknown[])[],
  claimed: ReadonlyMap<string, Date>,
  moment: Parameters<Handler<LedgerTables>>[2],
): void {
  const [groups, instructions] = [columns[17] as string[], columns[18] as string[]];
  for (const [mode, id] of [
    ['test', columns[19]],
    ['live', columns[20]],
  ] as unknown as [string, string][]) {
    const own = groups.flatMap((group, at) => {
      const instruction = parse<TimerInstruction>(instructions[at]);
      return claimed.has(group) && instruction.mode === mode ? [{ group, instruction }] : [];
    });
    const key = own.map(({ group }) => group).sort()[0];
    if (key === undefined) continue;
    const payload = JSON.stringify({ instructions: own.map(({ instruction }) => instruction) });
    insertMessages(tables, [[id], [changeTimers.subject], [key], [mode], [payload], [null]], moment);
  }
}

const upsertConnection: Handler<LedgerTables> = ({ connections }, values) => {
  const [merchant, mode, psp, version, active, revokedAt, revision] = values;
  const row: ConnectionRow = {
    merchant_id: text(merchant),
    mode: text(mode),
    psp_code: text(psp),
    version: Number(version),
    active: active === true,
    revoked: revokedAt !== null,
    revision: Number(revision),
    activatedRevision: active === true ? Number(revision) : 0,
  };
  const others = [...connections.by('scope', `${row.merchant_id} ${row.mode}`)].filter(
    (other) => toConnectionKey(other) !== toConnectionKey(row),
  );
  for (const other of others)
    if (row.active && other.active && other.activatedRevision < row.revision)
      connections.put({ ...other, active: false });
  const isActive = row.active && !others.some(({ activatedRevision }) => activatedRevision > row.revision);
  const before = connections.get(toConnectionKey(row));
  const news = !before || row.revision > before.revision ? { ...row, active: isActive } : before;
  const revisions = {
    revision: Math.max(before?.revision ?? 0, row.revision),
    activatedRevision: Math.max(before?.activatedRevision ?? 0, row.activatedRevision),
  };
  connections.put({ ...news, ...revisions });
  return [];
};

export const ledgerSchema: Schema<FullLedgerTables> = {
  open: (undoing) => ({ ...openLedgerTables(undoing), ...openReconciliationTables(undoing) }),
  nextDue: { 'outbox-relay': relayDue, reconcile: reconciliationDue },
  handlers: {
    ...commonHandlers,
    ...reconciliationHandlers,
    'ledger.load-group': loadGroup,
    'ledger.save-decision': saveDecision,
    'ledger.create-groups': createGroups,
    'ledger.upsert-connection': upsertConnection,
    // Transactions of a schema follow each other, so its one lock is always free.
    'ledger.lock-connections': () => [{ pg_advisory_xact_lock: '' }],
    'ledger.active-gateway': ({ connections }, [merchant, mode]) =>
      [...connections.by('scope', `${text(merchant)} ${text(mode)}`)]
        .filter(({ active }) => active)
        .map(({ psp_code }) => ({ psp_code })),
    'ledger.find-command': ({ commands }, [id]) => {
      const row = commands.get(hex(id));
      return row ? [{ fingerprint: row.fingerprint, group_id: row.group_id }] : [];
    },
    'ledger.group-of-intent': ({ intentGroups, groups }, [intentId, merchant, mode]) => {
      const groupId = intentGroups.get(text(intentId))?.groupId;
      const group = groupId === undefined ? undefined : groups.get(groupId)?.group;
      return group?.merchant_id === merchant && group?.mode === mode ? [{ group_id: groupId }] : [];
    },
    'ledger.groups-waiting-for-gateway': ({ groups }, [merchant, mode]) =>
      [...groups.all()]
        .filter(({ group }) => group.merchant_id === merchant && group.mode === mode)
        .filter(({ group }) => group.state === 'preauthorised')
        .map(({ group }) => ({ id: group.id })),
    // The audit log of operators' actions, which no statement reads again.
    'operator-actions-insert': findsNothing,
    // No merchant of a simulated world moves a test clock.
    'test-clock.find': findsNothing,
    'ledger.reap-commands': () => [{ reaped: 0n }],
    'ledger.fill-last-payments': () => [{ filled: 0n }],
  },
};
