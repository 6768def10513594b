import { parseInstant, type CommandOf, type createGroup, type publicApi } from '@gp/contracts';
import { findCurrency, formatMinor, maxPaymentMinor, parseMinor, type Currency } from '@gp/money';
import type { Body, Exact } from './exact.ts';
import type { Fault } from './fault.ts';
import { metadataFaults } from './metadata.ts';
import { slotTextFaults } from './slot-texts.ts';

type Request = publicApi.CreateGroupPaymentRequest;
type Distribution = Request['distribution'];
type Command = CommandOf<typeof createGroup>;

/** The fields that a create sends to the ledger, apart from the caller. */
export type NewGroup = Omit<Command, 'command_id' | 'fingerprint' | 'merchant_id' | 'mode'>;

export type ReadNewGroup = { readonly group: NewGroup } | { readonly faults: readonly Fault[] };

/**
 * Reads a create request whose shape is already valid: exact amounts in the currency's own decimals, a split that
 * is possible, metadata that fits. Returns every fault, with the documented texts. The ledger decides whether the
 * expiry lies in the future: a repeated request must still get its response after the expiry.
 */
export function readNewGroup({ plain, exact }: Body<Request>): ReadNewGroup {
  const faults: Fault[] = [];
  const expiresAt = parseInstant(plain.expires_at);
  if (!expiresAt) faults.push({ param: 'expires_at', reason: 'must name an instant' });
  faults.push(...metadataFaults('metadata', plain.metadata), ...slotTextFaults(plain.distribution));
  const money = readMoney(plain, exact);
  if ('faults' in money) faults.push(...money.faults);
  const organiser = readOrganiser(plain);
  if (organiser && 'faults' in organiser) faults.push(...organiser.faults);
  const minimum = readMinimum(plain, exact);
  if (minimum && 'faults' in minimum) faults.push(...minimum.faults);
  const maxTip = readMaxTip(plain, exact);
  if (maxTip && 'faults' in maxTip) faults.push(...maxTip.faults);
  if (
    !expiresAt ||
    'faults' in money ||
    (organiser && 'faults' in organiser) ||
    (minimum && 'faults' in minimum) ||
    (maxTip && 'faults' in maxTip) ||
    faults.length > 0
  )
    return { faults };
  return {
    group: {
      group_name: plain.group_name,
      ...(plain.client_reference !== undefined && { client_reference: plain.client_reference }),
      total_minor: money.total.toString(),
      currency: plain.currency,
      expires_at: expiresAt.toISOString(),
      metadata: plain.metadata ?? {},
      distribution: toDistribution(plain.distribution, money.slots),
      ...(organiser && { organiser }),
      ...(minimum && { capture_minimum: minimum }),
      ...(maxTip && { max_tip_minor: maxTip.minor.toString() }),
    },
  };
}

/** The ledger judges the instant, as it does that of the expiry. */
function readOrganiser({ organiser }: Request): NewGroup['organiser'] | { faults: Fault[] } {
  if (!organiser) return undefined;
  const { may, latest_expires_at: wanted } = organiser;
  if (wanted === undefined) return { may, latest_expires_at: null };
  const param = 'organiser.latest_expires_at';
  const latest = parseInstant(wanted);
  if (!latest) return { faults: [{ param, reason: 'must name an instant' }] };
  if (!may.includes('extend')) return { faults: [{ param, reason: 'needs extend among the rights of may' }] };
  return { may, latest_expires_at: latest.toISOString() };
}

/** The ledger judges whether the group can reach it. */
function readMinimum(
  { currency: code, capture_at_expiry: plain }: Request,
  { capture_at_expiry: exact }: Exact<Request>,
): NewGroup['capture_minimum'] | { faults: Fault[] } {
  if (plain?.minimum_slots !== undefined) return { slots: plain.minimum_slots };
  const currency = findCurrency(code);
  // A fault of the currency is told elsewhere.
  if (!currency || !exact?.minimum_amount) return undefined;
  const parsed = parseMinor(exact.minimum_amount.source, currency);
  if (parsed.ok) return { amount_minor: parsed.minor.toString() };
  return { faults: [{ param: 'capture_at_expiry.minimum_amount', reason: parsed.reason }] };
}

function readMaxTip(
  { currency: code }: Request,
  { tips }: Exact<Request>,
): { readonly minor: bigint } | { readonly faults: Fault[] } | undefined {
  const currency = findCurrency(code);
  if (!currency || !tips) return undefined;
  const param = 'tips.max_amount';
  const parsed = parseMinor(tips.max_amount.source, currency);
  if (!parsed.ok) return { faults: [{ param, reason: parsed.reason }] };
  if (parsed.minor <= maxPaymentMinor) return { minor: parsed.minor };
  return { faults: [{ param, reason: `must be at most ${shown(maxPaymentMinor, currency)}` }] };
}

type Money = { readonly total: bigint; readonly slots: readonly bigint[] };

function readMoney(plain: Request, exact: Exact<Request>): Money | { faults: Fault[] } {
  const currency = findCurrency(plain.currency);
  if (!currency) {
    return { faults: [{ param: 'currency', reason: 'must be the ISO 4217 code of an active currency' }] };
  }
  const faults: Fault[] = [];
  const read = (param: string, source: string): bigint => {
    const parsed = parseMinor(source, currency);
    if (parsed.ok) return parsed.minor;
    faults.push({ param, reason: parsed.reason });
    return 0n;
  };
  const total = read('total_amount', exact.total_amount.source);
  const { distribution } = exact;
  const isCustom = distribution.type === 'custom';
  const slots = isCustom
    ? distribution.slots.map(({ amount }, at) => read(slotParam(at), amount.source))
    : [];
  if (faults.length === 0) {
    const split = plain.distribution;
    faults.push(
      ...(split.type === 'custom'
        ? customFaults(total, slots, currency)
        : shareFaults(total, split.number_of_slots, currency)),
    );
  }
  return faults.length > 0 ? { faults } : { total, slots };
}

const slotParam = (at: number): string => `distribution.slots[${at}].amount`;

function customFaults(total: bigint, slots: readonly bigint[], currency: Currency): Fault[] {
  const faults: Fault[] = slots.flatMap((minor, at) =>
    minor > maxPaymentMinor
      ? [{ param: slotParam(at), reason: `must be at most ${shown(maxPaymentMinor, currency)}` }]
      : [],
  );
  const sum = slots.reduce((all, minor) => all + minor, 0n);
  if (sum !== total) {
    faults.push({
      param: 'distribution.slots',
      reason: 'sum of slot amounts must equal total amount',
      hint: `the slots sum to ${shown(sum, currency)}, total_amount is ${shown(total, currency)}`,
    });
  }
  return faults;
}

/** No share may be below the least amount of a slot (0.01, or the currency's own) or above the most. */
function shareFaults(total: bigint, count: number, currency: Currency): Fault[] {
  const parts = BigInt(count);
  const least = parts * (currency.exponent > 2 ? 10n ** BigInt(currency.exponent - 2) : 1n);
  const most = parts * maxPaymentMinor;
  const fault = (bound: string): Fault[] => [
    { param: 'total_amount', reason: `must be ${bound} for ${count} slot${count === 1 ? '' : 's'}` },
  ];
  if (total < least) return fault(`at least ${shown(least, currency)}`);
  return total > most ? fault(`at most ${shown(most, currency)}`) : [];
}

const shown = (minor: bigint, currency: Currency): string =>
  `${formatMinor(minor, currency)} ${currency.code}`;

function toDistribution(distribution: Distribution, amounts: readonly bigint[]): NewGroup['distribution'] {
  if (distribution.type === 'custom') {
    return {
      type: 'custom',
      slots: distribution.slots.map(({ metadata, label }, at) => ({
        amount_minor: String(amounts[at]),
        metadata: metadata ?? {},
        ...(label !== undefined && { label: label.trim() }),
      })),
    };
  }
  const { number_of_slots, slot_metadata, slot_labels } = distribution;
  return {
    type: 'equally',
    number_of_slots,
    ...(slot_metadata && { slot_metadata: slot_metadata.map(({ metadata }) => metadata) }),
    ...(slot_labels && { slot_labels: slot_labels.map((label) => label?.trim() ?? null) }),
  };
}
