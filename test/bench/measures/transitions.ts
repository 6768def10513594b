import { randomBytes, randomUUID } from 'node:crypto';
import { openBus, type Bus } from '@gp/bus';
import { openRefund, recordOutcome, type Outcome } from '@gp/contracts';
import { newGroup, openApi, payer } from '../../support/journey.ts';
import { askLedger } from '../../support/ledger.ts';
import { openOwnStack, type OwnStack } from '../../support/own-stack.ts';
import { findMerchant, type Merchant } from '../../support/stack.ts';
import type { Bench } from '../bench.ts';
import {
  countCopies,
  readTemplate,
  saveAsText,
  toCopy,
  writeCopies,
  type Template,
} from '../load/group-copies.ts';
import { findPgbench, transactionsPerSecond } from '../load/pgbench.ts';
import { compare, notRun, round, type Figure, type RatioGoal } from '../ratios.ts';
import { openSideDatabase, type SideDatabase } from '../side-database.ts';
import { logParameters } from '../statement-log.ts';

const GATEWAY = 'gateway_a';
const SAVE = 'ledger.save-decision';
/** Changes of one round, each of a group of its own. */
const CHANGES = 640;
/** Outcomes that adapters report at once. */
const REPORTERS = 64;
const CLIENTS = 16;
/** Who would work on what the ledger publishes, or run what it orders. */
const OTHERS = [
  'gateway-a',
  'webhook-dispatcher',
  'scheduler',
  'refund',
  'checkout',
  'merchant-dashboard',
] as const;

type Step = 'hold' | 'capture' | 'refund';

/** The first copy's number of each step, of eight digits. */
const FIRST_COPY: Readonly<Record<Step, number>> = {
  hold: 10_000_000,
  capture: 20_000_000,
  refund: 30_000_000,
};

const what = (step: string) =>
  `outcomes of ${step}/s that the ledger alone decides and stores / its statement that stores one, in pgbench`;
const GOALS: Readonly<Record<Step, RatioGoal>> = {
  hold: { id: 'P10-hold', what: what('holds'), goal: 0.5 },
  capture: { id: 'P10-capture', what: what('captures'), goal: 0.5 },
  refund: { id: 'P10-refund', what: what('refunds'), goal: 0.5 },
};

/**
 * P10: outcomes of holds, captures and refunds that adapters report to the ledger, against the statement that stores
 * such a decision. Each belongs to a group of its own: copies of a group that a real payment led to that state. In a
 * stack of its own, in which only the ledger and the edge run.
 */
export async function measureTransitions(bench: Bench): Promise<Figure[]> {
  const pgbench = await findPgbench();
  if (!pgbench)
    return Object.values(GOALS).map((goal) => notRun(goal, 'pgbench (Debian: postgresql-contrib)'));
  const own = await openOwnStack({ GP_SET_NODE_ENV: 'production' });
  const bus = await openBus({
    servers: own.stack.nats,
    name: 'bench-transitions',
    nkeySeed: own.stack.nats_seeds.administrator,
  });
  try {
    const side = await openSideDatabase(own.stack, 'bench_transitions');
    const rig: Rig = { ...bench, own, bus, side, pgbench, merchant: findMerchant(own.stack, GATEWAY) };
    const [held, charged] = [await startPayment(rig, 2), await startPayment(rig, 1)];
    await Promise.all(OTHERS.map(async (name) => own.opened.processes.get(name)?.stop()));
    const hold = await measureStep(rig, 'hold', held);
    // With its only slot held, the second group is captured, and then refunded.
    await report(rig, await buildOutcome(rig, 'hold', charged));
    const capture = await measureStep(rig, 'capture', charged);
    await bus.call(openRefund, {
      ...scopeOf(rig.merchant),
      command_id: newDigest(),
      fingerprint: newDigest(),
      group_id: charged,
      source: 'api',
    });
    return [hold, capture, await measureStep(rig, 'refund', charged)];
  } finally {
    await bus.close();
    await own.close();
  }
}

type Rig = Omit<Bench, 'merchant'> & {
  readonly own: OwnStack;
  readonly merchant: Merchant;
  readonly bus: Bus;
  readonly side: SideDatabase;
  readonly pgbench: string;
};

const newDigest = () => randomBytes(32).toString('hex');
const scopeOf = ({ merchant_id }: Merchant) => ({ merchant_id, mode: 'test' as const });

/** A group whose first slot waits for its card. */
async function startPayment({ own, merchant }: Rig, slots: number): Promise<string> {
  const api = openApi(own.stack, merchant);
  const group = await newGroup(api, slots);
  const { id } = group.group_payment;
  await api.pay(id, { customer_email: payer('change').email, slot_ids: [group.payment_slots[0]?.id] });
  return id;
}

async function measureStep(rig: Rig, step: Step, groupId: string): Promise<Figure> {
  const { own, side, pgbench, rounds, say } = rig;
  const template = await readTemplate(own.stack.postgres, groupId);
  const outcome = await buildOutcome(rig, step, groupId);
  const parameters = await logParameters(own.stack, own.dataDir, SAVE, () => report(rig, outcome));
  const [changed] = await askLedger<{ version: string }>(
    own.stack,
    'select version from groups where id = $1',
    [groupId],
  );
  for (const url of [own.stack.postgres, side.adminUrl])
    await writeCopies(url, template, { first: FIRST_COPY[step], count: rounds * CHANGES });
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < rounds; turn++) {
    const first = FIRST_COPY[step] + turn * CHANGES;
    bare.push(
      await transactionsPerSecond(pgbench, {
        url: side.url,
        clients: CLIENTS,
        runsOfEach: CHANGES / CLIENTS,
        variables: { first, each: CHANGES / CLIENTS, turn: 0 },
        script: `\\set copy :first + :client_id * :each + :turn\n\\set turn :turn + 1\n${saveAsText(parameters, ':copy::text', template.shared)};\n`,
      }),
    );
    ours.push(await reportPerSecond(rig, { outcome, template, first }));
    say(
      `${step}, round ${turn + 1}: ledger ${round(ours.at(-1) ?? NaN, 0)}/s, bare ${round(bare.at(-1) ?? NaN, 0)}/s`,
    );
  }
  for (const url of [own.stack.postgres, side.adminUrl]) {
    const stored = await countCopies(url, groupId, BigInt(changed?.version ?? 0));
    if (stored !== rounds * CHANGES) throw new Error(`${stored} of ${rounds * CHANGES} changes were stored`);
  }
  return compare(GOALS[step], ours, bare);
}

/** Reports the outcome for each copy of the round. */
async function reportPerSecond(
  rig: Rig,
  o: { readonly outcome: Outcome; readonly template: Template; readonly first: number },
): Promise<number> {
  const text = JSON.stringify(o.outcome);
  let next = o.first;
  const reportOnAndOn = async (): Promise<void> => {
    while (next < o.first + CHANGES)
      await report(rig, JSON.parse(toCopy(text, next++, o.template.shared)) as Outcome);
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: REPORTERS }, reportOnAndOn));
  return CHANGES / ((performance.now() - startedAt) / 1_000);
}

async function report({ bus }: Rig, outcome: Outcome): Promise<void> {
  const { verdict, reason } = await bus.call(recordOutcome, outcome);
  // The bus asks again where an answer is late; the first request was applied then.
  if (verdict !== 'applied' && reason !== 'processed before')
    throw new Error(`an outcome was ignored: ${reason}`);
}

const STATUS = { hold: 'authorised', capture: 'captured', refund: 'refunded' } as const;

/** The outcome that an adapter reports when the gateway has done this step for the group's only payment. */
async function buildOutcome({ own, merchant }: Rig, step: Step, groupId: string): Promise<Outcome> {
  const [payment] = await askLedger<{
    intent_id: string;
    attempt_id: string;
    amount_minor: string;
    order_id: string | null;
  }>(
    own.stack,
    `select i.id as intent_id, a.id as attempt_id, i.amount_minor, o.operation_id as order_id
     from intents i join attempts a on a.intent_id = i.id
       left join orders o on o.intent_id = i.id and o.kind = $2
     where i.group_id = $1 order by o.requested_at desc limit 1`,
    [groupId, step],
  );
  if (!payment) throw new Error(`group ${groupId} has no payment`);
  const now = Date.now();
  return {
    ...scopeOf(merchant),
    message_id: randomUUID(),
    group_id: groupId,
    intent_id: payment.intent_id,
    attempt_id: payment.attempt_id,
    operation: step === 'hold' ? 'authorise' : step,
    operation_id: step === 'hold' ? payment.attempt_id : payment.order_id,
    source: 'response',
    psp_code: GATEWAY,
    psp_reference: `pi_${groupId}`,
    status: STATUS[step],
    amount_minor: payment.amount_minor,
    currency: 'EUR',
    capture_before: step === 'hold' ? new Date(now + 6 * 86_400_000).toISOString() : null,
    failure: null,
    observed_at: new Date(now).toISOString(),
  };
}
