import { findBank } from '../gateways/find-bank.ts';
import { cleanName } from '../state/model.ts';
import { isBadEmail, Notice, WaitingNote } from './notice.tsx';
import { ChooseShares } from './choose-shares.tsx';
import { ShowName } from './show-name.tsx';
import { useView } from './view.ts';

/** The step before the card: the payer chooses shares and enters an e-mail address and a name. */
export function Choose() {
  const { model, t, sum, actions } = useView();
  const { gateway } = model.bootstrap;
  // They are there before the page knows of a payment, and where there is no gateway.
  const { PayAgain, Leave, NoGateway, fitBar } = model.later.value ?? {};
  if (gateway === null) return NoGateway ? <NoGateway /> : null;
  const isBusy = model.step.value === 'reserving';
  const amount = sum(model.chosen.value);
  const Tip = model.offer.value?.Field;
  const isBank = findBank(gateway) !== undefined;
  const label = isBank ? t('toBank', { amount }) : t('continueWith', { amount });
  return (
    <form
      class="step"
      // The browser's own complaint about an address is small, and gone after seconds.
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) actions.begin();
      }}
    >
      <Notice />
      <ChooseShares />
      <div class="needs-script">
        <Payer />
        {Tip && <Tip />}
      </div>
      <p class="no-script">{t('noScript')}</p>
      <div class="action needs-script" ref={fitBar ?? null}>
        <WaitingNote />
        {PayAgain && model.asksAgain.value ? (
          <PayAgain amount={amount} />
        ) : (
          <>
            <button class="primary" aria-disabled={isBusy || model.chosen.value.length === 0}>
              {isBusy ? t('reserving') : model.chosen.value.length > 0 ? label : t('continueNone')}
            </button>
            {Leave && !isBusy && model.made.value.length > 0 && <Leave />}
          </>
        )}
        {isBank && <p class="hint">{t('bankHint')}</p>}
      </div>
    </form>
  );
}

function Payer() {
  const { model, t, actions } = useView();
  const isBad = isBadEmail(model.notice.value);
  const hasName = (): boolean => cleanName(model.name.value) !== '';
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
          aria-describedby={isBad ? 'email-fault' : 'email-hint'}
          aria-invalid={isBad}
          value={model.email.value}
          onInput={(event) => {
            model.email.value = event.currentTarget.value;
            if (isBad) actions.dismiss();
          }}
        />
        <span role="alert" id="email-fault" class="fault">
          {isBad && t('badEmail')}
        </span>
        {!isBad && <small id="email-hint">{t('emailHint')}</small>}
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
          onInput={(event) => {
            model.name.value = event.currentTarget.value;
            model.showsName.value &&= hasName();
          }}
        />
      </p>
      <ShowName
        checked={model.showsName.value}
        disabled={!hasName()}
        onChange={(event) => (model.showsName.value = event.currentTarget.checked)}
      />
    </div>
  );
}
