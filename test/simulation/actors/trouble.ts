import { findManifest, pspCodes, type PspCode } from '@gp/gateway-registry';
import type { CallbackBody } from '../gateways/gateway.ts';
import { sign } from '../gateways/gateway.ts';
import type { BookedPayment } from '../gateways/payment.ts';
import type { PlannedConnection } from '../world/plan.ts';
import type { World } from '../world/world.ts';

const DAY_MS = 86_400_000;

/** Schedules what befalls a world beside the faults of single messages. */
export function makeTrouble(world: World): void {
  const { time, plan, faults, outside } = world;
  const { random } = time;
  const sometime = (count: number, happen: () => void): void => {
    for (let n = 0; n < count; n++) time.after(random.between(0, plan.healedAtMs), outside, happen);
  };
  sometime(plan.kills, () => {
    if (world.processes.length > 0) random.pick(world.processes).kill();
  });
  sometime(plan.forgets, () => {
    faults.note('brokerForgot');
    world.loseStreams();
  });
  sometime(plan.clockJumps, () => jumpClocks(world));
  sometime(plan.forgeries, () => forge(world));
  sometime(plan.crowds, () => crowd(world));
  if (plan.byHand > 0) actByHand(world);
}

/** The database's clock jumps, as after a failover, or the clock of one machine. */
function jumpClocks({ time, faults, databases, processes }: World): void {
  faults.note('clockJumped');
  const byMs = time.random.between(-5_000, 5_000);
  if (time.random.chance(0.5)) for (const database of databases) database.skewMs += byMs;
  else if (processes.length > 0) time.random.pick(processes).skewMs = byMs;
}

/** A callback that no merchant's secret signed, or that a merchant signed for another one's payment. */
function forge(world: World): void {
  const { plan, time, faults, gateways, callbacks } = world;
  const { random } = time;
  const psp = random.pick(pspCodes);
  const connections = plan.merchants.flatMap((merchant) =>
    merchant.connections.filter((one) => one.psp === psp),
  );
  const { payments } = gateways[psp].books;
  if (connections.length === 0 || payments.length === 0) return;
  faults.note('callbackForged');
  const forger = random.pick(connections);
  const victim = random.pick(payments);
  const body = buildBody(forger, victim, `forged_${random.between(0, 1e9)}`);
  const signature = random.chance(0.3) ? sign('nobody', body.id) : sign(forger.secret, body.id);
  callbacks[psp].send({ ...body, isDisputed: random.chance(0.1) ? null : body.isDisputed }, signature, 0);
}

/** Hundreds of genuine callbacks at once, about one payment or about none. */
function crowd(world: World): void {
  const { plan, time, faults, gateways, callbacks } = world;
  const { random } = time;
  const merchant = random.pick(plan.merchants);
  const connection = random.pick(merchant.connections);
  const { psp } = connection;
  const known = gateways[psp].books.payments.filter(({ account }) => account === connection.account);
  faults.note('callbacksCrowded');
  for (let n = 0; n < 100; n++) {
    const about = known.length > 0 && random.chance(0.5) ? random.pick(known) : undefined;
    const body = buildBody(connection, about, `crowd_${random.between(0, 1e9)}`);
    callbacks[psp].send(body, sign(connection.secret, body.id), random.between(0, 2_000));
  }
}

function buildBody(
  connection: PlannedConnection,
  about: BookedPayment | undefined,
  id: string,
): CallbackBody {
  const { account, mode, psp } = connection;
  const attemptId = findManifest(psp).flow === 'redirect' ? null : (about?.attemptId ?? null);
  return {
    account,
    mode,
    id,
    type: 'payment.updated',
    reference: about?.reference ?? 'of-another-system',
    attemptId,
    stated: null,
    isDisputed: null,
  };
}

/** Merchants act in their gateways' own books, and card schemes take back what they gave. */
function actByHand(world: World): void {
  const { time, plan, outside, gateways, faults } = world;
  const { random } = time;
  const look = (): void => {
    for (const psp of pspCodes)
      for (const payment of gateways[psp].books.payments)
        if (random.chance(plan.byHand / 10)) {
          faults.note('actedByHand');
          actOn(world, psp, payment);
        }
    if (!faults.isHealed) time.after(random.between(60_000, plan.healedAtMs / 10), outside, look);
  };
  time.after(random.between(0, plan.healedAtMs / 4), outside, look);
}

function actOn({ time, outside, gateways }: World, psp: PspCode, payment: BookedPayment): void {
  const { random } = time;
  const gateway = gateways[psp];
  const kinds = ['capture', 'void', 'refund', 'dispute', 'reverse', 'bounce'] as const;
  const kind = random.pick(findManifest(psp).flow === 'redirect' ? kinds.slice(0, 3) : kinds);
  if (kind === 'reverse') gateway.reverse(payment);
  else if (kind === 'bounce') gateway.bounce(payment);
  else if (kind !== 'dispute') gateway.actByHand(kind, payment);
  else if (payment.status === 'captured') {
    gateway.dispute(payment, true);
    if (random.chance(0.5))
      time.after(random.between(1_000, DAY_MS / 8), outside, () => gateway.dispute(payment, false));
  }
}
