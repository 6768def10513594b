import { findLanguage, type Fate, type OwnPayment } from '../bootstrap.ts';
import { allMessages } from '../i18n/all.ts';
import { mailMessages } from '../i18n/mail/all.ts';
import { writeMinimum } from '../i18n/minimum/write-minimum.ts';
import type { MailMessages } from '../i18n/mail/en.ts';
import { tipMessages } from '../i18n/tips/all.ts';
import { translator, type Translate } from '../i18n/translate.ts';
import { moneyFormat } from '../money/money.ts';

/** The sentences about one payment, in its payer's language. */
export type Speech = {
  readonly t: Translate;
  readonly own: MailMessages;
  /** Returns a sentence of `own`, filled in. */
  fill(key: keyof MailMessages, values: { readonly amount: string; readonly name: string }): string;
  readonly amount: string;
  readonly refunded: string;
  /** What became of the payment. */
  readonly told: string;
  /** Why nothing was charged; empty where the end of the group does not say it. */
  readonly why: readonly string[];
  /** What proves the payment, a line each. */
  readonly facts: readonly string[];
  /** Until when the group can be paid. */
  readonly ends: string;
};

/** With its time zone: the mail is read on another day, and by others to whom it is forwarded. */
const WITH_ZONE: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
};

/** Returns the sentences about a payment. */
export function speakOf(payment: OwnPayment): Speech {
  const { locale, written_as, currency, fraction_digits, group, payee } = payment;
  const { capture_minimum: minimum } = group;
  const t = translator(locale, {
    ...allMessages[findLanguage(locale)],
    ...(minimum && writeMinimum({ ...payment, minimum })),
  });
  const own = mailMessages[findLanguage(locale)];
  const tips = tipMessages[findLanguage(locale)];
  const money = moneyFormat(written_as, currency, fraction_digits);
  const amount = money(BigInt(payment.amount_minor));
  const refunded = money(BigInt(payment.refunded_minor));
  const date = new Intl.DateTimeFormat(written_as, { ...WITH_ZONE, timeZone: payment.time_zone });
  const write = (instant: string) => date.format(new Date(instant));
  const shares = payment.slots.map(
    ({ sequence_no, label }) => t('share', { n: sequence_no }) + (label ? ` (\u2068${label}\u2069)` : ''),
  );
  const why = explain(t, group.ended);
  return {
    t,
    own,
    why,
    fill: (key, values) => own[key].replace('{amount}', values.amount).replace('{name}', () => values.name),
    amount,
    refunded,
    told: payment.fate === 'unfinished' ? own.notHeld : tell(t, payment.fate, { amount, refunded, why }),
    facts: [
      ...(payee === null ? [] : [t('payTo', { payee })]),
      [group.name, ...shares].join(' · '),
      ...(payment.tip_minor === undefined
        ? []
        : [tips.included.replace('{amount}', money(BigInt(payment.tip_minor)))]),
      write(payment.at),
      t('order', { id: group.order_id }),
      t('reference', { id: payment.id }),
    ],
    ends: own.until.replace('{date}', write(group.expires_at)),
  };
}

/** A title says it, where the text below it on the page speaks of "it". */
function explain(t: Translate, ended: OwnPayment['group']['ended']): readonly string[] {
  if (ended === undefined) return [];
  return [ended === 'expired' ? t('expiredText') : `${t('cancelledTitle')}.`];
}

function tell(
  t: Translate,
  fate: Exclude<Fate, 'unfinished'>,
  { amount, refunded, why }: Pick<Speech, 'amount' | 'refunded' | 'why'>,
): string {
  switch (fate) {
    case 'pending':
      return t('checkingTitle');
    case 'held':
      return t('doneText', { amount });
    case 'charged':
      return t('minePaid', { amount });
    case 'capture_failed':
      return t('mineFailed', { amount });
    case 'released':
      return [...why, t('mineReleased', { amount })].join(' ');
    case 'part_refunded':
      return `${t('minePaid', { amount })} ${t('mineRefunded', { amount: refunded })}`;
    case 'refunded':
      return t('mineRefunded', { amount: refunded });
  }
}
