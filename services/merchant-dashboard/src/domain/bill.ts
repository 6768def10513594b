import type { CommandOf, createGroup, OrganiserRight } from '@gp/contracts';
import { validationError } from '@gp/errors';
import { findCurrency, formatMinor, maxPaymentMinor, parseMinor, type Currency } from '@gp/money';

/** A group payment that a member makes by hand. Amounts are in currency units, as text, such as `30.00`. */
export type Bill = {
  readonly group_name: string;
  readonly currency: string;
  /** With `number_of_slots` a total in equal slots; absent beside `slots`, whose sum is the total. */
  readonly total_amount?: string;
  readonly number_of_slots?: number;
  readonly slots?: readonly { readonly amount: string; readonly label?: string }[];
  readonly expires_in_seconds: number;
  /** Null for none; the merchant's setting counts where it is missing. */
  readonly organiser?: { readonly may: OrganiserRight[] } | null;
  /** One of the two: what must be held for a capture when time runs out; everything is released then where it is missing. */
  readonly capture_at_expiry?: { readonly minimum_slots?: number; readonly minimum_amount?: string };
  /** The most that each payment may add as a tip; payments may add none where it is missing. */
  readonly max_tip?: string;
};

type Command = CommandOf<typeof createGroup>;
type Priced = Pick<Command, 'total_minor' | 'distribution' | 'capture_minimum' | 'max_tip_minor'>;

/**
 * Reads the amounts of a bill in minor units, with the bounds of the public API. Throws `validation_error` naming the
 * field. The ledger judges the rest: the expiry, and whether the slots can reach the minimum.
 */
export function priceBill(bill: Bill): Priced {
  const currency = findCurrency(bill.currency);
  if (!currency) throw validationError('currency', 'must be the ISO 4217 code of an active currency');
  const { minimum_slots: slots, minimum_amount: amount } = bill.capture_at_expiry ?? {};
  const param = 'capture_at_expiry.minimum_amount';
  return {
    ...(bill.slots ? sumSlots(bill, currency) : splitTotal(bill, currency)),
    ...(slots !== undefined && { capture_minimum: { slots } }),
    ...(amount !== undefined && {
      capture_minimum: { amount_minor: String(readAmount(amount, currency, { param })) },
    }),
    ...(bill.max_tip !== undefined && {
      max_tip_minor: String(readAmount(bill.max_tip, currency, { param: 'max_tip', most: maxPaymentMinor })),
    }),
  };
}

function sumSlots({ slots = [], ...bill }: Bill, currency: Currency): Priced {
  for (const other of ['total_amount', 'number_of_slots'] as const)
    if (bill[other] !== undefined) throw validationError(other, 'cannot be combined with slots');
  const amounts = slots.map(({ amount }, at) =>
    readAmount(amount, currency, { param: `slots.${at}.amount`, most: maxPaymentMinor }),
  );
  return {
    total_minor: String(amounts.reduce((sum, amount) => sum + amount, 0n)),
    distribution: {
      type: 'custom',
      slots: slots.map(({ label }, at) => ({
        amount_minor: String(amounts[at]),
        metadata: {},
        ...(label !== undefined && { label: label.trim() }),
      })),
    },
  };
}

function splitTotal({ total_amount: total, number_of_slots: count }: Bill, currency: Currency): Priced {
  if (total === undefined) throw validationError('total_amount', 'is required');
  if (count === undefined) throw validationError('number_of_slots', 'is required');
  const parts = BigInt(count);
  const bounds = { least: parts * leastOf(currency), most: parts * maxPaymentMinor };
  return {
    total_minor: String(readAmount(total, currency, { param: 'total_amount', ...bounds })),
    distribution: { type: 'equally', number_of_slots: count },
  };
}

/** Returns the least amount of a slot: 0.01, or the least of a currency with fewer decimals. */
const leastOf = ({ exponent }: Currency): bigint => (exponent > 2 ? 10n ** BigInt(exponent - 2) : 1n);

type Field = { readonly param: string; readonly least?: bigint; readonly most?: bigint };

function readAmount(text: string, currency: Currency, field: Field): bigint {
  const { param, least = leastOf(currency), most } = field;
  const shown = (minor: bigint) => `${formatMinor(minor, currency)} ${currency.code}`;
  const parsed = parseMinor(text, currency);
  // What is too large to be parsed has more currency units than the bound has minor ones.
  const isOver = (bound: bigint) => (parsed.ok ? parsed.minor : Number(text)) > bound;
  if (most !== undefined && isOver(most)) throw validationError(param, `must be at most ${shown(most)}`);
  if (!parsed.ok) throw validationError(param, parsed.reason);
  if (parsed.minor < least) throw validationError(param, `must be at least ${shown(least)}`);
  return parsed.minor;
}
