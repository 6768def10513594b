import { findBank } from '../gateways/find-bank.ts';
import type { MessageKey } from '../i18n/en.ts';
import { findOwnOutcome } from '../slots/own-outcome.ts';
import type { Slot } from '../slots/slot.ts';
import { Contacts } from '../payment/contacts.tsx';
import { WaitingNote } from './notice.tsx';
import { findEnding, Panel } from './panel.tsx';
import { Question } from './question.tsx';
import { Receipts } from './receipt.tsx';
import { SendLink } from './send-link.tsx';
import { useView } from './view.ts';

/** The group takes no more payments: its outcome, and that of this payer's part. */
export function GroupOutcome() {
  const { model, t } = useView();
  const ending = findEnding(model);
  if (!ending) return null;
  const [stem, mood] = ending;
  const text = (part: 'Title' | 'Text'): string => t(`${stem}${part}` as MessageKey);
  return (
    <Panel title={text('Title')} mood={mood}>
      <p>{text('Text')}</p>
      <OwnOutcome />
      <Receipts />
      <Contacts support={model.bootstrap.support} t={t} />
    </Panel>
  );
}

/** The outcome of this payer's payments, share by share where they differ. */
function OwnOutcome() {
  const { model, t, sum } = useView();
  const byKey = new Map<MessageKey, Slot[]>();
  for (const slot of model.mine.value) {
    const key = findOwnOutcome(slot.state, model.live.value.state);
    byKey.set(key, [...(byKey.get(key) ?? []), slot]);
  }
  return (
    <>
      {[...byKey].map(([key, slots]) => (
        <p key={key} class="mine">
          {t(key, { amount: sum(slots) })}
        </p>
      ))}
    </>
  );
}

/** This payer has paid; others have not yet. */
export function Done() {
  const { model, t, sum, actions, payersPath, friendsPath } = useView();
  const missing = model.slots.value.length - model.secured.value.length;
  return (
    <Panel title={t('doneTitle')} mood="good">
      <p>{t('doneText', { amount: sum(model.mine.value) })}</p>
      {missing > 0 && (
        <p>
          {t.many('waiting', missing)} {friendsPath !== null && t('sendHint')}
        </p>
      )}
      <div class="row">
        <SendLink />
        {payersPath === null && friendsPath !== null && (
          // A frame may use neither the menu of the device nor the clipboard.
          <a class="primary" href={friendsPath} target="_blank" rel="noopener">
            {t('invite')}
          </a>
        )}
        {model.free.value.length > 0 && (
          <button type="button" class="secondary" onClick={actions.payAnother}>
            {t('payAnother')}
          </button>
        )}
      </div>
      <Receipts />
      <Contacts support={model.bootstrap.support} t={t} />
      <Forget />
    </Panel>
  );
}

/** Lets another person use this device for the same bill; asks first, since the receipts go from this device. */
function Forget() {
  const { model, t, actions } = useView();
  const forget = (): void => {
    actions.forget();
    actions.payAnother();
  };
  return model.asksAgain.value ? (
    <Question title={t('forget')} yes={t('forget')} act={forget} />
  ) : (
    <button type="button" class="link" onClick={() => (model.asksAgain.value = true)}>
      {t('forget')}
    </button>
  );
}

/** The outcome is not known yet, and the page says so. */
export function Checking() {
  const { model, t, actions } = useView();
  const isLeaving = model.step.value === 'leaving';
  const atBank = model.begun.value?.bankUrl !== undefined || findBank(model.bootstrap.gateway) !== undefined;
  const late = atBank ? t('unconfirmed') : t('checkingLong');
  return (
    <Panel title={isLeaving ? t('leaving') : t('checkingTitle')} mood="wait">
      {!isLeaving && <p role="status">{model.isSlow.value ? late : t('checking')}</p>}
      <WaitingNote />
      {!isLeaving && model.isSlow.value && (
        <div class="row">
          <button type="button" class="primary" onClick={actions.tryAgain}>
            {atBank ? t('backToBank') : t('tryAgain')}
          </button>
          <button type="button" class="secondary" onClick={actions.change}>
            {t('change')}
          </button>
        </div>
      )}
    </Panel>
  );
}
