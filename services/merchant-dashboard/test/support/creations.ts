import * as contracts from '@gp/contracts';
import type { CommandOf, GroupView, Mode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Dashboard, Member } from './dashboard.ts';

/** A bill without its split. */
export const BILL = { group_name: 'Dinner', currency: 'EUR', expires_in_seconds: 3_600 };
const EQUAL = { total_amount: '30.00', number_of_slots: 3 };

type How = { readonly mode?: Mode; readonly who?: Pick<Member, 'cookie'>; readonly key?: string };

/**
 * Plays the ledger and the clock for group payments that a member creates by hand. `created` has what the ledger was asked
 * for, and `makeGroup` what it answers; while `ledger.isAway` it keeps what it was asked for and answers nothing. `make` sends a bill of three equal slots with the fields of `body`.
 */
export function playCreations(dashboard: Dashboard, member: Member, makeGroup: () => GroupView) {
  const created: CommandOf<typeof contracts.createGroup>[] = [];
  const ledger = { isAway: false };
  let count = 0;
  dashboard.others.serve(contracts.findTestClock, async () => ({
    ...{ now: new Date().toISOString(), ahead_ms: 0, remaining_ms: 0, is_settled: true },
  }));
  dashboard.others.serveBatch(contracts.createGroup, async (commands) =>
    commands.map(({ command }) => {
      created.push(command);
      if (ledger.isAway) return new AppError('service_unavailable');
      return { group: makeGroup(), slots: [], replayed: false };
    }),
  );
  const send = (body: object, { mode = 'test', who = member, key = `by-hand-${(count += 1)}` }: How = {}) =>
    dashboard.send('POST', `/api/${mode}/group-payments`, {
      cookie: who.cookie,
      headers: { 'idempotency-key': key },
      body,
    });
  return {
    created,
    ledger,
    send,
    make: (body: object, how?: How) => send({ ...BILL, ...('slots' in body ? {} : EQUAL), ...body }, how),
  };
}
