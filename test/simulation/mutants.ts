/** A bug as a change of source text, which must be there exactly once. */
export type SourceChange = { readonly file: string; readonly from: string; readonly to: string };

export type Mutant = {
  readonly name: string;
  /** The expected contradiction. */
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
    breaks: /B10/,
    seed: 155,
    changes: [
      {
        file: 'test/simulation/store/save-decision.ts',
        from: 'if (!bundle || bundle.group.version !== values[1]) return',
        to: 'if (!bundle) return',
      },
    ],
  },
  {
    name: 'a tip is booked with what was captured for slots',
    breaks: /S8 the account of tips/,
    seed: 1,
    changes: [
      {
        file: 'services/group-ledger/src/domain/books/post-net.ts',
        from: 'computeKeptTipMinor(after) - computeKeptTipMinor(before)',
        to: '0n * computeKeptTipMinor(after) * computeKeptTipMinor(before)',
      },
    ],
  },
  {
    name: 'a group expires while it is being captured',
    breaks: /R7/,
    seed: 2,
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
    breaks: /S4/,
    seed: 38,
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
    breaks: /S4/,
    seed: 2,
    changes: [
      {
        file: `${ledger}/authorization/hold.ts`,
        from: '  if (!isCharged) requestVoid(draft, intent, authorizationId);\n',
        to: '',
      },
    ],
  },
  {
    name: 'an expired group keeps its holds',
    breaks: /B10|S4/,
    seed: 1,
    changes: [
      {
        file: `${ledger}/group/expiry.ts`,
        from: "    if (intent.state === 'preauthorised') voidHold(draft, intent);\n    else if",
        to: '    if',
      },
    ],
  },
  {
    name: 'a timer is marked as fired and its message is not written',
    breaks: /stuck/,
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
    name: 'accounts of the two modes are mixed up in memory',
    breaks: /S4/,
    seed: 3,
    changes: [
      {
        file: `${gateway}/db/sealed-columns.ts`,
        from: 'JSON.stringify([psp, merchantId, mode, version]);',
        to: 'JSON.stringify([psp, merchantId, mode && version]);',
      },
    ],
  },
  {
    name: 'messages are published once only',
    breaks: /S10/,
    seed: 1,
    changes: [
      {
        file: 'libs/outbox/src/repeats.ts',
        from: "state === 'due' && isRepeated(subject)",
        to: "state === 'due' && !isRepeated(subject)",
      },
    ],
  },
];

export function findMutant(name: string): Mutant {
  const mutant = mutants.find((one) => one.name === name);
  if (!mutant) throw new Error(`there is no mutant "${name}"`);
  return mutant;
}
