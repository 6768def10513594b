import type { Bundle, LedgerTables, OrderRow } from './ledger-tables.ts';
import { instant, parse, smallest, text, type Handler, type Handlers } from './schema.ts';
import { Table, type Undoing } from './table.ts';

type RunRow = {
  readonly id: string;
  readonly merchant_id: string;
  readonly mode: string;
  readonly psp_code: string;
  readonly state: string;
  readonly requested_by: string;
  readonly previous_id: string | null;
  readonly started_at: Date;
  readonly finished_at: Date | null;
  readonly cursor_at: Date;
  readonly cursor_id: string;
  readonly looks: number;
  readonly failures: number;
  readonly due_at: Date;
  readonly payments: number;
  readonly agreed: number;
  readonly unanswered: number;
  readonly sums: unknown;
};
type DifferenceRow = {
  readonly runId: string;
  readonly attemptId: string;
  readonly groupId: string;
  readonly outcome: string;
};

export type ReconciliationTables = {
  readonly runs: Table<RunRow>;
  readonly differences: Table<DifferenceRow>;
};
type Tables = LedgerTables & ReconciliationTables;

export function openReconciliationTables(undoing: Undoing): ReconciliationTables {
  return {
    runs: new Table<RunRow>(undoing, ({ id }) => id, {
      open: ({ finished_at }) => (finished_at === null ? 'open' : null),
    }),
    differences: new Table<DifferenceRow>(undoing, ({ runId, attemptId }) => `${runId} ${attemptId}`),
  };
}

const ZERO = '00000000-0000-0000-0000-000000000000';
const DAY_MS = 86_400_000;

const insertRun: Handler<Tables> = ({ runs }, values, { nowMs, dueAt }) => {
  const [id, merchant, mode, psp, requestedBy, days, onlyDue] = values;
  const isUnderWay = [...runs.by('open', 'open')].some(
    (run) => run.merchant_id === merchant && run.mode === mode && run.psp_code === psp,
  );
  if (isUnderWay) return [];
  const answered = [...runs.all()]
    .filter((run) => run.merchant_id === merchant && run.mode === mode && run.psp_code === psp)
    .filter(({ state, unanswered }) => state === 'done' && unanswered === 0)
    .sort((a, b) => b.started_at.getTime() - a.started_at.getTime());
  runs.put({
    id: text(id),
    merchant_id: text(merchant),
    mode: text(mode),
    psp_code: text(psp),
    requested_by: text(requestedBy),
    previous_id: onlyDue === true ? (answered[0]?.id ?? null) : null,
    ...{ state: 'reading', started_at: new Date(nowMs), finished_at: null, due_at: new Date(nowMs) },
    ...{ cursor_at: new Date(nowMs - Number(days) * DAY_MS), cursor_id: ZERO, sums: {} },
    ...{ looks: 0, failures: 0, payments: 0, agreed: 0, unanswered: 0 },
  });
  dueAt('reconcile', nowMs + 1_000);
  return [];
};

const claimRuns: Handler<Tables> = ({ runs }, [leaseSeconds, limit], { nowMs }) => {
  const due = [...runs.by('open', 'open')].filter(({ due_at }) => due_at.getTime() <= nowMs);
  const first = due.sort((a, b) => a.due_at.getTime() - b.due_at.getTime()).slice(0, Number(limit));
  const claimed = first.map((run) => ({ ...run, due_at: new Date(nowMs + Number(leaseSeconds) * 1_000) }));
  for (const run of claimed) runs.put(run);
  return claimed;
};

const WALK = 2_000;
const YOUNG_MS = 8 * DAY_MS;
const AGES_MS = [15, 30, 45, 60, 75, 90, 105].map((days) => days * DAY_MS);
const SAVED_WITHIN_MS = 60_000;

const pageOfGroups: Handler<Tables> = ({ groups, runs, differences }, values) => {
  const [merchant, mode, cursorAt, cursorId, limit, previousId, startedAt] = values;
  const previous = previousId === null ? undefined : runs.get(text(previousId));
  const differed = new Set(
    [...differences.all()]
      .filter(({ runId, outcome }) => runId === previousId && outcome !== 'repaired')
      .map(({ groupId }) => groupId),
  );
  const isDue = (group: { id: string; at: number; updated_at: string }): boolean => {
    if (!previous) return true;
    const [from, to] = [previous.started_at.getTime(), instant(startedAt)];
    return (
      group.at > to - YOUNG_MS ||
      Date.parse(group.updated_at) >= from - SAVED_WITHIN_MS ||
      AGES_MS.some((age) => group.at > from - age && group.at <= to - age) ||
      differed.has(group.id)
    );
  };
  const walked = [...groups.all()]
    .map(({ group }) => ({ ...group, at: Date.parse(group.created_at) }))
    .filter(({ merchant_id, mode: own }) => merchant_id === merchant && own === mode)
    .filter(({ at, id }) => at > instant(cursorAt) || (at === instant(cursorAt) && id > text(cursorId)))
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .slice(0, WALK);
  return [...walked.filter(isDue).slice(0, Number(limit)), ...walked.slice(-1)].map(({ id, at }) => ({
    id,
    created_at: new Date(at),
  }));
};

const advanceRun: Handler<Tables> = ({ runs }, values, { nowMs, dueAt }) => {
  const [
    id,
    dueAtBefore,
    state,
    cursorAt,
    cursorId,
    looks,
    failures,
    payments,
    agreed,
    unanswered,
    sums,
    pause,
  ] = values;
  const run = runs.get(text(id));
  if (!run || run.finished_at !== null || run.due_at.getTime() !== instant(dueAtBefore)) return [];
  const due_at = new Date(nowMs + Number(pause) * 1_000);
  runs.put({
    ...run,
    state: text(state),
    cursor_at: new Date(instant(cursorAt)),
    cursor_id: text(cursorId),
    ...{ looks: Number(looks), failures: Number(failures), payments: Number(payments) },
    ...{ agreed: Number(agreed), unanswered: Number(unanswered), sums: parse(sums), due_at },
    finished_at: state === 'done' || state === 'failed' ? new Date(nowMs) : null,
  });
  dueAt('reconcile', due_at.getTime() + 1_000);
  return [{ id }];
};

export const reconciliationDue = ({ runs }: Tables): number | undefined =>
  smallest(Array.from(runs.by('open', 'open'), ({ due_at }) => due_at.getTime()));

export const reconciliationHandlers: Handlers<Tables> = {
  'ledger.insert-reconciliation': insertRun,
  'ledger.claim-reconciliation': claimRuns,
  'ledger.advance-reconciliation': advanceRun,
  'ledger.find-any-open-reconciliation': ({ runs }) => [{ is_open: runs.count('open', 'open') > 0 }],
  'ledger.find-open-reconciliation': ({ runs }, [merchant, mode, psp]) =>
    [...runs.by('open', 'open')]
      .filter((run) => run.merchant_id === merchant && run.mode === mode && run.psp_code === psp)
      .map(({ id }) => ({ id })),
  'ledger.page-of-groups-to-reconcile': pageOfGroups,
  'ledger.payments-of-groups': ({ groups }, [ids, psp]) =>
    (ids as string[])
      .flatMap((id) => listPayments(groups.get(id)))
      .filter(({ psp_code }) => psp_code === psp)
      .sort((a, b) => (a.attempt_id < b.attempt_id ? -1 : 1))
      .map(({ psp_code: _psp, ...row }) => row),
  'ledger.payments-that-differed': ({ groups, differences }, [runId, after, limit]) =>
    [...differences.all()]
      .filter((one) => one.runId === runId && (one.outcome === 'seen' || one.outcome === 'pending'))
      .filter(({ attemptId }) => attemptId > text(after))
      .flatMap(({ attemptId, groupId }) =>
        listPayments(groups.get(groupId)).filter(({ attempt_id }) => attempt_id === attemptId),
      )
      .sort((a, b) => (a.attempt_id < b.attempt_id ? -1 : 1))
      .slice(0, Number(limit))
      .map(({ psp_code: _psp, ...row }) => row),
  'ledger.insert-difference': ({ differences }, values) => {
    const [runId, attemptId, groupId, , , , , outcome] = values.map((value) => value as string);
    differences.put({
      runId: text(runId),
      attemptId: text(attemptId),
      groupId: text(groupId),
      outcome: text(outcome),
    });
    return [];
  },
  'ledger.resolve-tasks-of-agreement': ({ tasks }, [keys]) => {
    for (const key of keys as string[]) {
      const task = tasks.get(key);
      if (task?.isOpen) tasks.put({ ...task, isOpen: false });
    }
    return [];
  },
};

const AWAITED = new Set(['started', 'unknown']);
const IN_HAND = new Set(['started', 'waiting', 'unknown']);

/** Each try of a group's payments, with what the postings say of it. */
function listPayments(bundle: Bundle | undefined) {
  if (!bundle) return [];
  const { group, intents, attempts, orders, postings } = bundle;
  return attempts.flatMap((attempt) => {
    const intent = intents.find(({ id }) => id === attempt.intent_id);
    if (!intent) return [];
    const own: OrderRow[] = orders.filter(({ attempt_id }) => attempt_id === attempt.id);
    const sum = (account: string): bigint =>
      postings
        .filter((posting) => posting.attempt_id === attempt.id && posting.account === account)
        .reduce((total, { amount_minor }) => total + BigInt(amount_minor), 0n);
    const refunded = sum('payer:refunded');
    return [
      {
        psp_code: intent.psp_code,
        group_id: group.id,
        group_at: new Date(group.created_at),
        intent_id: intent.id,
        attempt_id: attempt.id,
        psp_reference: attempt.psp_reference,
        amount_minor: BigInt(intent.amount_minor),
        currency: group.currency,
        credential_version: intent.credential_version,
        held: sum('group:held'),
        captured: sum('merchant:captured') + sum('merchant:tips') + refunded,
        refunded,
        is_in_flight: AWAITED.has(attempt.state) || own.some(({ state }) => IN_HAND.has(state)),
        awaited: own.filter(({ state }) => AWAITED.has(state)).map(({ operation_id }) => operation_id),
      },
    ];
  });
}
