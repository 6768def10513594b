import { pspCodes, type PspCode } from '@gp/gateway-registry';
import type { BookedPayment, Effect } from '../gateways/payment.ts';
import type { Bundle } from '../store/ledger-tables.ts';
import type { World } from '../world/world.ts';
import type { Contradictions } from './contradiction.ts';

/** Compares the gateways' books with the ledger, when everything has come to rest. */
export function judgeBooks(c: Contradictions, world: World): void {
  const owners = findOwners(world);
  for (const psp of pspCodes)
    for (const payment of world.gateways[psp].books.payments) judgePayment(c, world, psp, payment, owners);
}

type Owner = { readonly bundle: Bundle; readonly attemptId: string };

/** The group of each payment, by the attempt that the gateway or our own call row names. */
function findOwners({
  ledger,
  adapters,
}: World): (psp: PspCode, payment: BookedPayment) => Owner | undefined {
  const byAttempt = new Map<string, Bundle>();
  for (const bundle of ledger.tables.groups.all())
    for (const { id } of bundle.attempts) byAttempt.set(id, bundle);
  return (psp, { attemptId, reference, mode }) => {
    const [call] = [...adapters[psp].tables.calls.by('reference', reference)].filter(
      (row) => row.mode === mode,
    );
    const id = attemptId ?? call?.attempt_id;
    const bundle = id === undefined ? undefined : byAttempt.get(id);
    return bundle && id !== undefined ? { bundle, attemptId: id } : undefined;
  };
}

function judgePayment(
  c: Contradictions,
  world: World,
  psp: PspCode,
  payment: BookedPayment,
  findOwner: ReturnType<typeof findOwners>,
): void {
  const owner = findOwner(psp, payment);
  const about = `${psp} payment ${payment.reference} (${payment.status}), attempt ${owner?.attemptId ?? 'unknown'}, group ${owner?.bundle.group.id ?? 'unknown'}`;
  const must = (holds: boolean, promise: string): void => c.must(holds, promise, about);
  if (!owner)
    return must(payment.effects.length === 0, 'S4 the gateway knows no hold that the ledger does not');
  judgeEffects(must, payment, owner.bundle);
  const { held, captured, refunded } = readMoney(owner);
  const heldThere = payment.status === 'authorised' ? payment.amountMinor : 0n;
  must(heldThere === 0n, 'S4 every hold is captured or released');
  must(held === heldThere, `S4 the ledger holds what the gateway holds: ${held} and ${heldThere}`);
  must(
    captured === payment.capturedMinor,
    `S4 no charge is forgotten: ${captured} and ${payment.capturedMinor}`,
  );
  must(
    refunded === payment.refundedMinor,
    `S4 no refund is forgotten: ${refunded} and ${payment.refundedMinor}`,
  );
  judgeScope(must, world, psp, payment, owner.bundle);
}

function judgeEffects(
  must: (holds: boolean, promise: string) => void,
  { effects }: BookedPayment,
  bundle: Bundle,
): void {
  const ours = (kind: Effect['kind']): Effect[] =>
    effects.filter((one) => one.kind === kind && one.by === 'order');
  must(ours('capture').length <= 1, 'S7 one capture per payment');
  must(
    new Set(ours('refund').map(({ key }) => key)).size === ours('refund').length,
    'S7 one refund per order',
  );
  const sum = (...kinds: Effect['kind'][]): bigint =>
    effects
      .filter(({ kind }) => kinds.includes(kind))
      .reduce((total, { amountMinor }) => total + amountMinor, 0n);
  must(sum('refund') - sum('bounce') <= sum('capture'), 'S2 no more is refunded than was captured');
  must(sum('capture') <= sum('hold'), 'S2 no more is captured than was held');
  if (bundle.group.state === 'expired' || bundle.group.state === 'cancelled')
    must(ours('capture').length === 0, 'S3 no order captures after the end of a group');
}

function readMoney({ bundle: { postings }, attemptId }: Owner) {
  const sum = (account: string): bigint =>
    postings
      .filter((posting) => posting.attempt_id === attemptId && posting.account === account)
      .reduce((total, { amount_minor }) => total + BigInt(amount_minor), 0n);
  const refunded = sum('payer:refunded');
  const kept = sum('merchant:captured') + sum('merchant:tips');
  return { held: sum('group:held'), captured: kept + refunded, refunded };
}

/** S9: the account of a payment is one that its merchant connected, in its mode. */
function judgeScope(
  must: (holds: boolean, promise: string) => void,
  { plan }: World,
  psp: PspCode,
  payment: BookedPayment,
  { group }: Bundle,
): void {
  const merchant = plan.merchants.find(({ id }) => id === group.merchant_id);
  const isOwn = merchant?.connections.some(
    (one) => one.psp === psp && one.mode === payment.mode && one.account === payment.account,
  );
  must(isOwn === true && payment.mode === group.mode, 'S9 payments of two merchants or modes never mix');
}
