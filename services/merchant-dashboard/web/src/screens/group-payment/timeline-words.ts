import type {
  GroupPaymentDetail,
  GroupPaymentIntent,
  OutcomeSource,
  TimelineEntry,
} from '../../../../src/http/api.ts';
import { formatMoney } from '../../format/money.ts';
import { formatState } from '../../parts/tone.ts';

type Slot = GroupPaymentDetail['slots'][number];
type TimelinePayment = Pick<
  GroupPaymentIntent,
  'state' | 'payer' | 'amount' | 'tip' | 'slot_ids' | 'is_disputed'
>;

const SENTENCES: Readonly<Record<GroupPaymentIntent['state'], (payer: string, amount: string) => string>> = {
  created: (payer, amount) => `${payer} is about to pay ${amount}`,
  processing: (payer, amount) => `${payer} is paying ${amount}`,
  preauthorised: (payer, amount) => `${payer} has ${amount} held`,
  capture_pending: (payer, amount) => `${amount} of ${payer} are being captured`,
  captured: (payer, amount) => `${payer} paid ${amount}`,
  refund_pending: (payer, amount) => `${payer} is being refunded ${amount}`,
  refunded: (payer, amount) => `${payer} was refunded ${amount}`,
  failed: (payer, amount) => `${payer} could not pay ${amount}`,
  void_pending: (payer, amount) => `${payer}’s payment of ${amount} is being released`,
  voided: (payer, amount) => `${payer}’s payment of ${amount} was released`,
  capture_failed: (payer, amount) => `${amount} of ${payer} could not be captured`,
};

/** Returns how a payment stands as a sentence: `Ana paid €25.00 (slot 1, 3: Dessert)`. */
export function formatPayment(payment: TimelinePayment, slots: GroupPaymentDetail['slots']): string {
  const payer = payment.payer.name ?? payment.payer.email;
  const covered = slots.filter(({ id }) => payment.slot_ids.includes(id));
  const names = covered.map(formatSlot).join(', ');
  const amount = formatMoney(payment.amount);
  const sentence = payment.is_disputed
    ? `${payer} disputes ${amount}`
    : SENTENCES[payment.state](payer, amount);
  const facts = [
    ...(names === '' ? [] : [`slot ${names}`]),
    ...(payment.tip ? [`tip ${formatMoney(payment.tip)}`] : []),
  ];
  return facts.length === 0 ? sentence : `${sentence} (${facts.join('; ')})`;
}

/**
 * Returns what to do about a dispute, or what to tell a payer who asks where the money is, where his bank shows something else than
 * we do; else undefined.
 */
export function formatAdvice(
  { state, is_disputed }: Pick<GroupPaymentIntent, 'state' | 'is_disputed'>,
  wasHeld: boolean,
): string | undefined {
  if (is_disputed)
    return 'Answer it in the dashboard of the gateway. Until the dispute has ended, this payment is not refunded.';
  if (state === 'voided' && wasHeld)
    return 'Nothing was charged. The payer’s bank may show the hold for some days more.';
  if (state === 'refunded')
    return 'The gateway has given it back. The payer’s bank may take some days to show it.';
  return undefined;
}

/** Writes a slot by its number, and by what it is for where the merchant said so: `3: Dessert`. */
function formatSlot({ sequence_no, label }: Slot): string {
  // Isolated, so that a label written from right to left does not turn the words beside it.
  return label === null ? String(sequence_no) : `${sequence_no}: \u2068${label}\u2069`;
}

/** Returns a step of a payment in a word or two: `begun`, `held`, `failed`, `refund failed`. */
export function formatStep({ from, what }: Pick<TimelineEntry, 'from' | 'what'>): string {
  if (from === 'refund_pending' && what === 'captured') return 'refund failed';
  return from === null ? 'begun' : formatState(what);
}

/** Returns any other entry of the timeline as a sentence: its subject and its result. */
export function formatHeadline(entry: TimelineEntry): string {
  if (entry.webhook)
    return `Webhook ${entry.webhook.event_type} to ${parseHost(entry.webhook.url)}: ${entry.what}`;
  if (entry.kind === 'payment') return `Payment ${formatStep(entry)}`;
  return entry.from === null ? 'Group payment created' : `Group payment ${formatState(entry.what)}`;
}

/** Returns how deliveries ended: `4 webhooks: 3 delivered, 1 pending`. */
export function formatDeliveries(deliveries: readonly Pick<TimelineEntry, 'what'>[]): string {
  const counts = new Map<string, number>();
  for (const { what } of deliveries) counts.set(what, (counts.get(what) ?? 0) + 1);
  const parts = [...counts].map(([what, count]) => `${count} ${formatState(what)}`);
  return `${deliveries.length} webhooks: ${parts.join(', ')}`;
}

const SOURCES: Readonly<Record<OutcomeSource, string>> = {
  response: 'an answer of',
  callback: 'a callback of',
  query: 'a query to',
  external: 'the dashboard of',
};
const isSource = (text: string): text is OutcomeSource => Object.hasOwn(SOURCES, text);

/** Actors that the platform records by one word. The word for the merchant and the API is the one for a request of its server. */
const ACTORS: Readonly<Record<string, string>> = {
  merchant: 'your server',
  api: 'your server',
  dashboard: 'a team member in the dashboard',
  payer: 'the payer',
  organiser: 'the organiser',
  scheduler: 'the passing of time',
  checkout: 'the checkout page',
  'webhook-dispatcher': 'the delivery of webhooks',
};

/** Returns in words who or what caused an entry: `by your server`, `by ana@shop.example in the dashboard`, `by a callback of` and the name of the gateway. */
export function formatActor({ actor, from, kind, is_command }: Caused): string {
  // Who created a group payment is in the audit log, where it was a member.
  if (actor === 'merchant' && kind === 'group' && from === null) return 'by your server or in the dashboard';
  // The ledger itself looks again when a gateway was connected.
  if (actor === 'merchant' && !is_command) return 'by a change of your gateways';
  const at = actor.indexOf(':');
  const [name, rest] = at === -1 ? [actor, ''] : [actor.slice(0, at), actor.slice(at + 1)];
  return `by ${formatName(name, rest)}`;
}

type Caused = Pick<TimelineEntry, 'actor' | 'from' | 'kind' | 'is_command'>;

function formatName(name: string, rest: string): string {
  if (isSource(rest)) return `${SOURCES[rest]} ${name}`;
  if (name === 'dashboard' && rest !== '') return `${rest} in the dashboard`;
  if (name === 'operator' && rest !== '') return `operator ${rest} of this platform`;
  return Object.hasOwn(ACTORS, name) ? (ACTORS[name] ?? name) : name;
}

function parseHost(url: string): string {
  return URL.parse(url)?.host ?? url;
}
