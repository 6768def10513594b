import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import type { GroupState } from '../bootstrap.ts';
import type { MessageKey } from '../i18n/en.ts';
import { addAmounts } from '../money/money.ts';
import { findLook, type Slot } from '../slots/slot.ts';
import { Icon } from './icons.tsx';
import { WaitingNote } from './notice.tsx';
import { Receipts } from './receipt.tsx';
import { useView } from './view.ts';

type Ending = { readonly stem: string; readonly mood: 'good' | 'calm' | 'sad' };

/** How the final states of a group are shown. */
const endings: Partial<Readonly<Record<GroupState, Ending>>> = {
  preauthorised: { stem: 'charging', mood: 'good' },
  capturing: { stem: 'charging', mood: 'good' },
  partially_paid: { stem: 'partial', mood: 'good' },
  paid: { stem: 'paid', mood: 'good' },
  expired: { stem: 'expired', mood: 'sad' },
  cancelled: { stem: 'cancelled', mood: 'sad' },
  capture_failed: { stem: 'failed', mood: 'sad' },
  refunding: { stem: 'refunding', mood: 'calm' },
  partially_refunded: { stem: 'partRefund', mood: 'calm' },
  refunded: { stem: 'refund', mood: 'calm' },
  refund_failed: { stem: 'refundFailed', mood: 'sad' },
};

/** Paid in part; the rest is not retried automatically (D4). */
const SHORT: Ending = { stem: 'short', mood: 'sad' };

/** The group takes no more payments: its outcome, and that of this payer's part. */
export function GroupOutcome() {
  const { model, t } = useView();
  const { state } = model.live.value;
  const isTriedAgain = model.slots.value.some((slot) => slot.state === 'preauthorised');
  const ending = state === 'partially_paid' && !isTriedAgain ? SHORT : endings[state];
  if (!ending) return null;
  const text = (part: 'Title' | 'Text'): string => t(`${ending.stem}${part}` as MessageKey);
  return (
    <Panel title={text('Title')} mood={ending.mood}>
      <p>{text('Text')}</p>
      <OwnOutcome />
      <Receipts />
    </Panel>
  );
}

/** The outcome of this payer's payments, share by share where they differ. */
function OwnOutcome() {
  const { model, t, money } = useView();
  const mine = model.slots.value.filter(({ id }) => model.own.value.has(id));
  const isClosed = ['expired', 'cancelled'].includes(model.live.value.state);
  const byKey = new Map<MessageKey, Slot[]>();
  for (const slot of mine) {
    const key = ownKey(slot, isClosed);
    byKey.set(key, [...(byKey.get(key) ?? []), slot]);
  }
  return (
    <>
      {[...byKey].map(([key, slots]) => (
        <p key={key} class="mine">
          {t(key, { amount: money(addAmounts(slots.map(({ amount }) => amount))) })}
        </p>
      ))}
    </>
  );
}

function ownKey(slot: Slot, isClosed: boolean): MessageKey {
  switch (findLook(slot)) {
    case 'paid':
      return 'minePaid';
    case 'refunded':
      return 'mineRefunded';
    case 'closed':
      return isClosed ? 'mineReleased' : 'mineFailed';
    case 'held':
    case 'busy':
    case 'free':
      return 'mineHeld';
  }
}

/** This payer has paid; others have not yet. */
export function Done() {
  const { model, t, money, actions } = useView();
  const mine = model.slots.value.filter(({ id }) => model.own.value.has(id));
  const isPage = model.bootstrap.kind === 'page';
  const missing = model.slots.value.length - model.secured.value.length;
  return (
    <Panel title={t('doneTitle')} mood="good">
      <p>{t('doneText', { amount: money(addAmounts(mine.map(({ amount }) => amount))) })}</p>
      {missing > 0 && (
        <p>
          {t.many('waiting', missing)} {isPage && t('sendHint')}
        </p>
      )}
      <div class="row">
        <SendLink />
        {model.free.value.length > 0 && (
          <button type="button" class="secondary" onClick={actions.payAnother}>
            {t('payAnother')}
          </button>
        )}
      </div>
      <Receipts />
      <Forget />
    </Panel>
  );
}

/** Lets another person use this device for the same bill. */
function Forget() {
  const { t, actions } = useView();
  return (
    <button type="button" class="link" onClick={actions.forget}>
      {t('forget')}
    </button>
  );
}

/** The link for friends who have not paid yet: shared through the phone's own menu, or copied. */
function SendLink() {
  const { model, t } = useView();
  const isCopied = useSignal(false);
  const { kind } = model.bootstrap;
  if (kind !== 'page') return null;
  const send = async (): Promise<void> => {
    const url = location.origin + location.pathname;
    if ('share' in navigator) return navigator.share({ title: document.title, url });
    await (navigator as Navigator).clipboard.writeText(url);
    isCopied.value = true;
  };
  return (
    <button type="button" class="primary" onClick={() => void send().catch(() => undefined)}>
      <span aria-live="polite">{isCopied.value ? t('copied') : t('sendLink')}</span>
    </button>
  );
}

/** The outcome is not known yet, and the page says so. */
export function Checking() {
  const { model, t, actions } = useView();
  const isLeaving = model.step.value === 'leaving';
  return (
    <Panel title={isLeaving ? t('leaving') : t('checkingTitle')} mood="wait">
      {!isLeaving && <p role="status">{model.isSlow.value ? t('checkingLong') : t('checking')}</p>}
      <WaitingNote />
      {!isLeaving && model.isSlow.value && (
        <div class="row">
          <button type="button" class="primary" onClick={actions.tryAgain}>
            {t('tryAgain')}
          </button>
          <button type="button" class="secondary" onClick={actions.change}>
            {t('change')}
          </button>
        </div>
      )}
    </Panel>
  );
}

function Panel(o: { title: string; mood: Ending['mood'] | 'wait'; children: ComponentChildren }) {
  const icon =
    o.mood === 'good' ? 'check' : o.mood === 'wait' ? 'clock' : o.mood === 'calm' ? 'undo' : 'info';
  return (
    <section class={`step panel outcome outcome-${o.mood}`} aria-labelledby="step-title">
      <span class="medal">
        <Icon name={icon} />
      </span>
      <h2 id="step-title" tabIndex={-1}>
        {o.title}
      </h2>
      {o.children}
    </section>
  );
}
