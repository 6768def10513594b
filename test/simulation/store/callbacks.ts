import type { CallbackRow, GatewayTables, Signer } from './gateway-tables.ts';
import { listQueues, toMerchant } from './list-queues.ts';
import { parse, text, type Handler, type Handlers } from './schema.ts';

const IDLE_MS = 500;
const RESTING_AFTER_TRIES = 3;

const insertCallback: Handler<GatewayTables> = ({ callbacks }, values, { nowMs, dueAt }) => {
  const [id, mode, merchant_id, credential_version, account, event_id, event_type] = values;
  const [attempt_id, psp_reference, is_disputed, traceparent, signersText, state] = values.slice(7);
  const signers = parse<Signer[]>(signersText);
  const [known] = callbacks.by('event', `${text(account)} ${text(event_id)}`);
  if (known) {
    if (known.state === 'applied' || signers.every((signer) => hasSigner(known, signer))) return [];
    const again = {
      ...known,
      signers: [...known.signers, ...signers],
      state: 'stored',
      tries: 0,
      dueMs: nowMs,
    } as const;
    callbacks.put(again);
  } else {
    const named = { id, mode, merchant_id, credential_version, account, event_id, event_type, attempt_id };
    const row = {
      ...named,
      psp_reference,
      is_disputed,
      traceparent,
      signers,
      state,
      tries: 0,
      dueMs: nowMs,
    };
    callbacks.put(row as CallbackRow);
  }
  dueAt('apply-callbacks', nowMs + IDLE_MS);
  return [{ id: known?.id ?? id }];
};

const hasSigner = ({ signers }: CallbackRow, { merchant_id, mode }: Signer): boolean =>
  signers.some((one) => one.merchant_id === merchant_id && one.mode === mode);

const takeDue: Handler<GatewayTables> = ({ callbacks }, [mode, merchant, leaseSeconds], { nowMs, dueAt }) => {
  const own = [...callbacks.by('stored', 'stored')].filter(
    (row) => row.mode === mode && row.merchant_id === merchant && row.dueMs <= nowMs,
  );
  const first = own.sort((a, b) => a.dueMs - b.dueMs)[0];
  if (!first) return [];
  const signers = JSON.stringify(first.signers);
  const taken = own.filter(
    (row) =>
      row.psp_reference === first.psp_reference &&
      row.attempt_id === first.attempt_id &&
      JSON.stringify(row.signers) === signers,
  );
  return taken.map((row) => {
    const waitSeconds = Math.max(Number(leaseSeconds), Math.min(3_600, 2 ** Math.min(row.tries, 12)));
    const next = { ...row, tries: row.tries + 1, dueMs: nowMs + waitSeconds * 1_000 };
    callbacks.put(next);
    dueAt('apply-callbacks', next.dueMs + IDLE_MS);
    const { state: _state, dueMs: _due, ...returned } = next;
    return { ...returned, signers: sortSigners(row) };
  });
};

/** The statement returns the signer of the row's own merchant first. */
function sortSigners({ signers }: CallbackRow): readonly Signer[] {
  return signers;
}

/** Changes the stored ones among these. */
function change(
  t: GatewayTables,
  ids: unknown,
  m: Parameters<Handler<GatewayTables>>[2],
  next: (row: CallbackRow) => CallbackRow,
): unknown[] {
  return (ids as string[]).flatMap((id) => {
    const row = t.callbacks.get(id);
    if (row?.state !== 'stored') return [];
    const changed = next(row);
    t.callbacks.put(changed);
    if (changed.state === 'stored') m.dueAt('apply-callbacks', changed.dueMs + IDLE_MS);
    return [{ id }];
  });
}

export const callbackHandlers: Handlers<GatewayTables> = {
  'gateway.insert-callback': insertCallback,
  'gateway.take-due-callbacks-of-a-payment': takeDue,
  'gateway.list-merchants-of-callbacks': ({ callbacks }, _values, { nowMs }) =>
    listQueues(callbacks.by('stored', 'stored'), toMerchant, ({ dueMs }) => dueMs <= nowMs),
  'gateway.retry-callbacks': (t, [ids], m) => {
    change(t, ids, m, (row) => ({
      ...row,
      dueMs: m.nowMs + Math.min(3_600, 2 ** Math.min(row.tries - 1, 12)) * 1_000,
    }));
    return [];
  },
  'gateway.pause-callbacks': (t, [ids, seconds], m) => {
    change(t, ids, m, (row) => ({
      ...row,
      dueMs: m.nowMs + Number(seconds) * 1_000,
      tries: Math.min(row.tries, RESTING_AFTER_TRIES + 1),
    }));
    return [];
  },
  'gateway.bind-callbacks': (t, [ids, merchant_id, mode, credential_version], m) => {
    const owner = {
      merchant_id: text(merchant_id),
      mode: text(mode),
      credential_version: Number(credential_version),
    };
    change(t, ids, m, (row) => ({ ...row, ...owner, dueMs: m.nowMs, tries: Math.max(row.tries - 1, 0) }));
    return [];
  },
  'gateway.close-callbacks': (t, [ids, state], m) =>
    change(t, ids, m, (row) => ({ ...row, state: state as CallbackRow['state'] })),
};
