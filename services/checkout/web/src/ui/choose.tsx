import { findBank } from '../gateways/find-bank.ts';
import { Notice, WaitingNote } from './notice.tsx';
import { ChooseShares } from './shares.tsx';
import { useView } from './view.ts';

/** The step before the card: the payer chooses shares and enters an e-mail address and a name. */
export function Choose() {
  const { model, t, money, actions } = useView();
  const { gateway } = model.bootstrap;
  const isBusy = model.step.value === 'reserving';
  const amount = money(model.chosenAmount.value);
  const isBank = findBank(gateway) !== undefined;
  const canGoOn = model.chosen.value.length > 0 || model.free.value.length > 0;
  const label = isBank ? t('toBank', { amount }) : t('continueWith', { amount });
  return (
    <form
      class="step"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) actions.begin();
      }}
    >
      <Notice />
      <ChooseShares />
      <div class="needs-script">
        <Payer />
      </div>
      <p class="no-script">{t('noScript')}</p>
      <div class="action needs-script">
        <WaitingNote />
        <button class="primary" aria-disabled={isBusy || gateway === null || !canGoOn}>
          {isBusy ? t('reserving') : model.chosen.value.length > 0 ? label : t('continueNone')}
        </button>
        {isBank && <p class="hint">{t('bankHint')}</p>}
      </div>
    </form>
  );
}

function Payer() {
  const { model, t } = useView();
  return (
    <div class="fields">
      <p class="field">
        <label for="email">{t('email')}</label>
        <input
          id="email"
          type="email"
          required
          maxLength={320}
          autocomplete="email"
          inputMode="email"
          aria-describedby="email-hint"
          value={model.email.value}
          onInput={(event) => (model.email.value = event.currentTarget.value)}
        />
        <small id="email-hint">{t('emailHint')}</small>
      </p>
      <p class="field">
        <label for="name">
          {t('name')} <small>({t('optional')})</small>
        </label>
        <input
          id="name"
          maxLength={100}
          autocomplete="name"
          value={model.name.value}
          onInput={(event) => (model.name.value = event.currentTarget.value)}
        />
      </p>
    </div>
  );
}
