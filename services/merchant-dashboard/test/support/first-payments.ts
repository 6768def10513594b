import * as contracts from '@gp/contracts';
import type { CommandOf, GroupView } from '@gp/contracts';
import type { Dashboard, Member } from './dashboard.ts';

/**
 * Plays the ledger and the clock for test payments that a member makes in the dashboard; `created` has what the ledger was
 * asked for, and `makeGroup` what it answers.
 */
export function playFirstPayments(dashboard: Dashboard, member: Member, makeGroup: () => GroupView) {
  const created: CommandOf<typeof contracts.createGroup>[] = [];
  let count = 0;
  dashboard.others.serve(contracts.findTestClock, async () => ({
    ...{ now: new Date().toISOString(), ahead_ms: 0, remaining_ms: 0, is_settled: true },
  }));
  dashboard.others.serveBatch(contracts.createGroup, async (commands) =>
    commands.map(({ command }) => {
      created.push(command);
      return { group: makeGroup(), slots: [], replayed: false };
    }),
  );
  return {
    created,
    make: (body: object) =>
      dashboard.send('POST', '/api/test/first-payment', {
        cookie: member.cookie,
        headers: { 'idempotency-key': `first-${(count += 1)}` },
        body,
      }),
  };
}
