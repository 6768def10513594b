import type { Fate, OwnPayment } from '@gp/checkout-web/bootstrap';
import type { PaymentView } from '@gp/contracts';
import { notFound } from '@gp/errors';
import { readsAsLink } from '@gp/mail';
import { findCurrency } from '@gp/money';
import { findTimeZone } from '@gp/primitives';
import type { MailedPayment } from '../../db/mails/mailed-payments.ts';
import { findFate, type Known } from '../../domain/mails/decide-mail.ts';
import type { OwnPaymentParts } from './ports.ts';

/** A payment as its payer may see it, with what decides about its mails. */
export type FoundPayment = {
  readonly payment: OwnPayment;
  readonly known: Known;
  /** The path of the checkout page, where the payment is not finished or is held, and its group still waits for payers. */
  readonly payPath: string | null;
  /** The name that is shown to whoever has the group's link; null where none is shown. */
  readonly shownName: string | null;
};

const MOST_PAYMENTS = 100;
/** What a payment has come to while it holds or has paid its slots. */
const SHOWING: readonly Fate[] = ['held', 'charged', 'capture_failed', 'part_refunded'];

/** Reads a payment from the ledger; rejects with `not_found` when the ledger does not know it. */
export function findOwnPayment({
  ledger,
  findBrand,
}: OwnPaymentParts): (mailed: MailedPayment & { readonly was_held: boolean }) => Promise<FoundPayment> {
  return async (mailed) => {
    const { merchant_id, mode, group_id, locale, written_as } = mailed;
    const scope = { merchant_id, mode, group_id };
    const [found, { payment, currency }, brand] = await Promise.all([
      ledger.findGroup(scope),
      findPayment(ledger, scope, mailed.payment_intent_id),
      findBrand(scope),
    ]);
    const known: Known = {
      state: payment.state,
      capturedMinor: BigInt(payment.captured_minor),
      refundedMinor: BigInt(payment.refunded_minor),
      email: payment.email,
      facts: found.facts,
      expiresAtMs: Date.parse(found.group.expires_at),
    };
    const { slots, group } = found;
    const fate = findFate({ ...known, unknown: payment.unknown, wasHeld: mailed.was_held });
    const leadsOn = (fate === 'unfinished' || fate === 'held') && found.facts.awaits_payers;
    const missing = slots.filter(({ state }) => state === 'unassigned' || state === 'assigned').length;
    return {
      known,
      shownName: SHOWING.includes(fate) ? (payment.shown_name ?? null) : null,
      payPath: leadsOn ? `/c/${group.page_token}` : null,
      payment: {
        id: payment.id,
        mode,
        locale,
        written_as,
        time_zone: findTimeZone(payment.time_zone ?? '') ?? 'UTC',
        payee: nameWithoutLink(brand.name),
        brand_color: brand.color,
        ...(brand.support && { support: brand.support }),
        fate,
        amount_minor: payment.amount_minor,
        ...(payment.tip_minor !== undefined && { tip_minor: payment.tip_minor }),
        refunded_minor: payment.refunded_minor,
        currency,
        fraction_digits: findCurrency(currency)?.exponent ?? 2,
        at: payment.created_at,
        slots: slots
          .filter(({ id }) => payment.slot_ids.includes(id))
          .map(({ sequence_no, label }) => ({ sequence_no, ...(label && !readsAsLink(label) && { label }) })),
        group: {
          name: nameWithoutLink(group.group_name) ?? group.merchant_order_id,
          order_id: group.merchant_order_id,
          expires_at: group.expires_at,
          ...(group.capture_minimum && { capture_minimum: group.capture_minimum }),
          ...((group.state === 'expired' || group.state === 'cancelled') && { ended: group.state }),
          missing,
        },
      },
    };
  };
}

/** A stranger may have chosen a name that mail programs make a link of. */
const nameWithoutLink = (name: string | null): string | null =>
  name === null || readsAsLink(name) ? null : name;

async function findPayment(
  ledger: OwnPaymentParts['ledger'],
  scope: Parameters<OwnPaymentParts['ledger']['findGroup']>[0],
  id: string,
): Promise<{ payment: PaymentView; currency: string }> {
  const asked = { ...scope, limit: MOST_PAYMENTS };
  for (let page = await ledger.listPayments(asked); ;) {
    const payment = page.payments.find((each) => each.id === id);
    if (payment) return { payment, currency: page.currency };
    if (!page.next) throw notFound('payment');
    page = await ledger.listPayments({ ...asked, after: page.next });
  }
}
