import { listQueues, toMerchant } from './list-queues.ts';
import { findsNothing, instantOrNull, parse, smallest, text, type Handler, type Schema } from './schema.ts';
import { commonHandlers, insertMessages, relayDue } from './outbox.ts';
import { callbackHandlers } from './callbacks.ts';
import {
  openGatewayTables,
  scopeOf,
  toCallKey,
  type CallRow,
  type CredentialsRow,
  type GatewayTables,
} from './gateway-tables.ts';
import { ConstraintViolation, type Table } from './table.ts';
import { orderHandlers } from './waiting-orders.ts';

const insertCall: Handler<GatewayTables> = ({ calls }, v, { nowMs, dueAt }) => {
  const row: CallRow = {
    ...{
      id: text(v[0]),
      mode: text(v[1]),
      merchant_id: text(v[2]),
      group_id: text(v[3]),
      intent_id: text(v[4]),
    },
    ...{ attempt_id: text(v[5]), operation: text(v[6]), seq: Number(v[7]), operation_id: text(v[8]) },
    ...{ psp_idempotency_key: text(v[9]), credential_version: Number(v[10]), state: 'started' },
    ...{
      psp_reference: v[11] as string | null,
      amount_minor: v[12] as bigint,
      currency: text(v[13]),
    },
    ...{ sandbox_fault: v[14] as string | null, traceparent: v[15] as string | null },
    not_after: toDate(v[16]),
    ...{ unless_authorised: v[17] === true, return_url: v[18] as string | null },
    ...{ result_minor: null, failure: null, accepted_at: null, started_at: new Date(nowMs) },
    leased_until: new Date(nowMs + Number(v[19]) * 1_000),
  };
  if (calls.has(toCallKey(row))) return [];
  const isReused =
    row.operation === 'prepare' &&
    row.psp_reference !== null &&
    [...calls.by('reference', row.psp_reference)].some(({ operation }) => operation === 'prepare');
  if (isReused) throw new ConstraintViolation('one_preparation_per_reference');
  calls.put(row);
  dueAt('recover-attempts', row.leased_until.getTime() + 1_000);
  return [row];
};

const toDate = (value: unknown): Date | null => {
  const ms = instantOrNull(value);
  return ms === null ? null : new Date(ms);
};

function findById(calls: Table<CallRow>, id: unknown): CallRow | undefined {
  return [...calls.by('id', text(id))][0];
}

/** Extends a lease where the row is in hand and, unless it is renewed, its lease has ended. */
function lease(
  t: GatewayTables,
  row: CallRow | undefined,
  seconds: unknown,
  m: Parameters<Handler<GatewayTables>>[2],
): CallRow[] {
  if (row?.state !== 'started') return [];
  const leased = { ...row, leased_until: new Date(m.nowMs + Number(seconds) * 1_000) };
  t.calls.put(leased);
  m.dueAt('recover-attempts', leased.leased_until.getTime() + 1_000);
  return [leased];
}

const isOver = (row: CallRow | undefined, nowMs: number): row is CallRow =>
  row?.state === 'started' && row.leased_until.getTime() <= nowMs;

const settleCall: Handler<GatewayTables> = ({ calls }, [id, before, state, reference, result, failure]) => {
  const row = findById(calls, id);
  if (!row || !(before as string[]).includes(row.state)) return [];
  calls.put({
    ...row,
    state: text(state),
    psp_reference: (reference as string | null) ?? row.psp_reference,
    result_minor: (result as bigint | null) ?? row.result_minor,
    failure: parse(failure),
  });
  return [{ id }];
};

const listOfPayment: Handler<GatewayTables> = ({ calls }, [attemptId]) =>
  [...calls.by('payment', text(attemptId))].sort((a, b) => (a.id < b.id ? -1 : 1));

const toSealed = ({ merchant_id, mode, version, key_id, sealed }: CredentialsRow) => {
  return { merchant_id, mode, version, key_id, sealed };
};

const byVersion = (a: CredentialsRow, b: CredentialsRow): number => b.version - a.version;

export const gatewaySchema: Schema<GatewayTables> = {
  open: openGatewayTables,
  nextDue: {
    'outbox-relay': relayDue,
    'apply-callbacks': ({ callbacks }) =>
      smallest(Array.from(callbacks.by('stored', 'stored'), ({ dueMs }) => dueMs)),
    'carry-out-orders': ({ orders }) => smallest(Array.from(orders.all(), ({ dueMs }) => dueMs)),
    'recover-attempts': ({ calls }) =>
      smallest(Array.from(calls.by('inHand', 'started'), ({ leased_until }) => leased_until.getTime())),
  },
  handlers: {
    ...commonHandlers,
    ...callbackHandlers,
    ...orderHandlers,
    'gateway.insert-attempt': insertCall,
    'gateway.find-attempt': ({ calls }, [attempt_id, operation, seq]) => {
      const row = calls.get(toCallKey({ attempt_id, operation, seq }));
      return row ? [row] : [];
    },
    'gateway.take-over-attempt': (t, [id, seconds], m) => {
      const row = findById(t.calls, id);
      return isOver(row, m.nowMs) ? lease(t, row, seconds, m) : [];
    },
    'gateway.list-merchants-of-unanswered-attempts': ({ calls }, _v, { nowMs }) =>
      listQueues(calls.by('inHand', 'started'), toMerchant, (row) => isOver(row, nowMs)),
    'gateway.take-over-stale-attempt': (t, [mode, merchant, seconds], m) => {
      const [row] = [...t.calls.by('inHand', 'started')]
        .filter((call) => isOver(call, m.nowMs) && call.mode === mode && call.merchant_id === merchant)
        .sort((a, b) => a.leased_until.getTime() - b.leased_until.getTime());
      return lease(t, row, seconds, m);
    },
    'gateway.renew-lease': (t, [id, seconds], m) => {
      lease(t, findById(t.calls, id), seconds, m);
      return [];
    },
    'gateway.lock-attempts-of-payment': listOfPayment,
    'gateway.list-attempts-of-payment': listOfPayment,
    'gateway.find-attempt-by-psp-reference': ({ calls }, [reference, signers]) => {
      const scopes = new Set(parse<{ merchant_id: string; mode: string }[]>(signers).map(scopeOf));
      const row = [...calls.by('reference', text(reference))].find((call) => scopes.has(scopeOf(call)));
      return row ? [{ attempt_id: row.attempt_id }] : [];
    },
    'gateway.accept-attempt': ({ calls }, [id], { nowMs }) => {
      const row = findById(calls, id);
      if (row) calls.put({ ...row, accepted_at: new Date(nowMs) });
      return [];
    },
    'gateway.settle-attempt': settleCall,
    'gateway.settle-attempt-and-send': (t, values, moment) => {
      const settled = settleCall(t, values, moment);
      if (settled.length > 0) insertMessages(t, values.slice(6), moment);
      return settled;
    },
    'gateway.insert-credentials': (
      { credentials },
      [merchant_id, mode, version, account, key_id, sealed, verified],
    ) => {
      const row = {
        merchant_id,
        mode,
        version,
        account,
        key_id,
        sealed,
        isVerified: verified === true,
      } as CredentialsRow;
      if (credentials.has(`${scopeOf(row)} ${row.version}`)) return [];
      credentials.put(row);
      return [{ version }];
    },
    'gateway.find-credentials': ({ credentials }, [merchant_id, mode, version]) => {
      const row = credentials.get(`${scopeOf({ merchant_id, mode })} ${String(version)}`);
      return row ? [toSealed(row)] : [];
    },
    'gateway.find-newest-credentials': ({ credentials }, [merchant_id, mode]) =>
      [...credentials.by('scope', scopeOf({ merchant_id, mode }))]
        .sort(byVersion)
        .slice(0, 1)
        .map((row) => ({ ...toSealed(row), is_verified: row.isVerified })),
    'gateway.mark-credentials-verified': ({ credentials }, [merchant_id, mode, version]) => {
      const row = credentials.get(`${scopeOf({ merchant_id, mode })} ${String(version)}`);
      if (row) credentials.put({ ...row, isVerified: true });
      return [];
    },
    'gateway.list-verified-credentials': ({ credentials }, [account, mode]) =>
      [...credentials.all()]
        .filter((row) => row.account === account && row.isVerified && (mode === null || row.mode === mode))
        .sort((a, b) => (scopeOf(a) === scopeOf(b) ? byVersion(a, b) : scopeOf(a) < scopeOf(b) ? -1 : 1))
        .map(toSealed),
    'gateway.list-newer-credentials': ({ credentials }, [merchant_id, mode, version, account]) =>
      [...credentials.by('scope', scopeOf({ merchant_id, mode }))]
        .filter((row) => row.version > Number(version) && row.account === account && row.isVerified)
        .sort(byVersion)
        .slice(0, 10)
        .map(toSealed),
    'gateway.count-unused-credentials': ({ credentials, calls }, [merchant_id, mode]) => {
      const used = new Set(Array.from(calls.all(), (row) => `${scopeOf(row)} ${row.credential_version}`));
      const own = [...credentials.by('scope', scopeOf({ merchant_id, mode }))];
      return [{ count: own.filter((row) => !used.has(`${scopeOf(row)} ${row.version}`)).length }];
    },
    'gateway.list-mirrored': ({ external }, [attemptId]) =>
      ['capture', 'refund'].flatMap((operation) => {
        const row = external.get(`${text(attemptId)} ${operation}`);
        return row ? [{ operation, amount_minor: row.amount_minor }] : [];
      }),
    'gateway.add-mirrored': ({ external }, [attemptId, operation, amount]) => {
      const before = external.get(`${text(attemptId)} ${text(operation)}`)?.amount_minor ?? 0n;
      external.put({
        attempt_id: text(attemptId),
        operation: text(operation),
        amount_minor: before + (amount as bigint),
      });
      return [];
    },
    'gateway.take-mirrored': ({ external }, [attemptId, operation, amount]) => {
      const row = external.get(`${text(attemptId)} ${text(operation)}`);
      if (!row) return [];
      if (row.amount_minor <= (amount as bigint)) external.delete(row);
      else external.put({ ...row, amount_minor: row.amount_minor - (amount as bigint) });
      return [];
    },
    'gateway.insert-contradiction': ({ quarantine }, values) => {
      const key = [values[4], values[8], values[9]].map(String).join(' ');
      if (quarantine.has(key)) return [];
      quarantine.put({ key });
      return [{ id: values[0] }];
    },
    // Housekeeping after days and months, which is not simulated.
    'gateway.forget-callbacks': findsNothing,
    'gateway.delete-unused-credentials': findsNothing,
    // No merchant of a simulated world moves a test clock.
    'test-clock.find': findsNothing,
  },
};
