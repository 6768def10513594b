/** A bug as a change of source text, which must be there exactly once. */
export type SourceChange = { readonly file: string; readonly from: string; readonly to: string };

export type Mutant = {
  readonly name: string;
  /** What is seen to break. */
  readonly breaks: RegExp;
  /** The first seed whose world shows it. */
  readonly seed: number;
  readonly changes: readonly SourceChange[];
};

const ledger = 'services/group-ledger/src/domain';
const gateway = 'libs/gateway/src';

export const mutants: readonly Mutant[] = [
  {
    name: 'a decision is written without the check of its version',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: 'test/simulation/store/save-decision.ts',
        from: 'if (bundle?.group.version !== values[1]) return',
        to: 'if (!bundle) return',
      },
    ],
  },
  {
    name: 'a group expires while it is being captured',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: `${ledger}/group/expiry.ts`,
        from: 'return nowMs >= group.expiresAtMs && isCollecting(group);',
        to: 'return nowMs >= group.expiresAtMs && group.expiredAtMs === null && group.cancelledAtMs === null;',
      },
    ],
  },
  {
    name: 'a release without an answer counts as done',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: `${gateway}/domain/call-result.ts`,
        from: `    case 'unknown':
      return buildResult('unknown', 'doubt');
    case 'retryable':`,
        to: `    case 'unknown':
      if (operation === 'void') return buildResult('voided', 'approve');
      return buildResult('unknown', 'doubt');
    case 'retryable':`,
      },
    ],
  },
  {
    name: 'a hold that comes too late is not released',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: `${ledger}/authorization/hold.ts`,
        from: '  requestVoid(draft, intent, authorizationId);\n',
        to: '',
      },
    ],
  },
  {
    name: 'an expired group keeps its holds',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: `${ledger}/group/expiry.ts`,
        from: "    if (intent.state === 'preauthorised') releaseHold(draft, intent);\n    else if",
        to: '    if',
      },
    ],
  },
  {
    name: 'a repeated order does not get the stored result',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: `${gateway}/app/run-operation.ts`,
        from: "if (row.state !== 'unknown') return repeatResult(adapter, row);",
        to: "if (row.state !== 'unknown') return;",
      },
    ],
  },
  {
    name: 'a timer is marked as fired and its message is not written',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: 'services/scheduler/src/app/fire-due-timers.ts',
        from: 'if (due.length > 0) await insertOutbox(tx, due.map(toMessage));',
        to: 'if (due.length > 0) await insertOutbox(tx, due.slice(1).map(toMessage));',
      },
    ],
  },
  {
    name: 'an older instruction overrides a newer one about a timer',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: 'test/simulation/store/scheduler.ts',
        from: 'const isOlder = before !== undefined && row.revision <= before.revision;',
        to: 'const isOlder = false;',
      },
    ],
  },
  {
    name: 'a release that was not confirmed is not sent again',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: `${ledger}/void/record-void.ts`,
        from: '  retryVoidIn(draft, order, ladderDelayMs(draft.context.policy.voidLadder, order.seq - 1));\n',
        to: '',
      },
    ],
  },
  {
    name: 'calls of a process that died are not finished',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: `${gateway}/app/recover-calls.ts`,
        from: 'take: (queue) => takeOverStaleCall(db, queue, toLeaseSeconds(settings.leaseMs)),',
        to: 'take: () => Promise.resolve(undefined),',
      },
    ],
  },
  {
    name: 'accounts of the two modes are mixed up in memory',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: `${gateway}/accounts.ts`,
        from: 'JSON.stringify([gateway.psp, merchantId, mode, version]);',
        to: 'JSON.stringify([gateway.psp, merchantId, mode && version]);',
      },
    ],
  },
  {
    name: 'the relay marks messages as sent that the bus did not take',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: 'libs/outbox/src/publish-rows.ts',
        from: '        failed.push({ row, error });\n        return;',
        to: '        void error;',
      },
      {
        file: 'libs/outbox/src/repeats.ts',
        from: "state === 'due' && isRepeated(subject)",
        to: "state === 'due' && !isRepeated(subject)",
      },
    ],
  },
  {
    name: 'messages are published once only',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: 'libs/outbox/src/repeats.ts',
        from: "state === 'due' && isRepeated(subject)",
        to: "state === 'due' && !isRepeated(subject)",
      },
    ],
  },
  {
    name: 'a hold of another amount is accepted',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: `${ledger}/authorization/hold.ts`,
        from: "  if (hold.amountMinor !== intent.amountMinor) return 'amount_mismatch';\n",
        to: '',
      },
    ],
  },
  {
    name: 'an absent payment is believed at once',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: `${gateway}/app/ask.ts`,
        from: 'return ageMs < adapter.settings.settleWindowMs ?',
        to: 'return ageMs < 0 ?',
      },
    ],
  },
  {
    name: 'a late answer to an earlier try of a refund finds no line',
    breaks: /./,
    seed: 217,
    changes: [
      {
        file: `${ledger}/refund/record-refund.ts`,
        from: 'return ofTry ?? lines.find(isOpen) ?? lines.at(-1);',
        to: 'return ofTry ?? lines.find(isOpen);',
      },
    ],
  },
  {
    name: 'messages of a dead process stay with it',
    breaks: /./,
    seed: 1,
    changes: [
      {
        file: 'libs/gateway/src/db/waiting-orders.ts',
        from: '(await db.query(takeDue, [mode, merchantId, operation, leaseSeconds]))[0];',
        to: '(await db.query(takeDue, [mode, merchantId, operation, leaseSeconds * 1e9]))[0];',
      },
    ],
  },
];

export function findMutant(name: string): Mutant {
  const mutant = mutants.find((one) => one.name === name);
  if (!mutant) throw new Error(`there is no mutant "${name}"`);
  return mutant;
}
