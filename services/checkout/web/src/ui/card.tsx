import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { timeLeft } from '../clock/countdown.ts';
import type { Pay, Submit } from '../gateways/card-form.ts';
import { nameShare } from '../slots/slot.ts';
import { cleanName, isOver } from '../state/model.ts';
import { Icon } from './icons.tsx';
import { Notice, WaitingNote } from './notice.tsx';
import { keepHeightDuringPress } from './still.ts';
import { timeText, useView } from './view.ts';

/** The card step, while the shares are reserved. */
export function Card() {
  const { model, t, sum, actions } = useView();
  const holder = useSignal(model.name.value);
  const isBusy = model.step.value === 'paying';
  const amount = sum(model.chosen.value);
  const pay = (submit?: Submit): Promise<void> => actions.pay(cleanName(holder.value), submit);
  return (
    <form
      class="step panel"
      onSubmit={(event) => {
        event.preventDefault();
        void pay();
      }}
    >
      <h2 id="step-title" tabIndex={-1}>
        {t('payTitle', { amount })}
      </h2>
      <p class="chosen-list">{model.chosen.value.map((slot) => nameShare(t, slot)).join(' · ')}</p>
      <Notice />
      <ReservationClock />
      <div id="express" inert={isBusy} />
      <p class="or">{t('orByCard')}</p>
      <p class="field">
        <label for="holder">{t('holder')}</label>
        <input
          id="holder"
          required
          maxLength={100}
          autocomplete="cc-name"
          value={holder.value}
          onInput={(event) => (holder.value = event.currentTarget.value)}
        />
      </p>
      <CardPlace pay={pay} />
      <div class="action">
        <WaitingNote />
        <button class="primary" aria-disabled={isBusy}>
          <Icon name="lock" />
          {isBusy ? t('paying') : t('pay', { amount })}
        </button>
        <p class="hint">{t('payNote')}</p>
        {!isBusy && (
          <button type="button" class="link" onClick={actions.change}>
            <Icon name="back" />
            {t('change')}
          </button>
        )}
      </div>
    </form>
  );
}

/** The second clock: how long this payer's shares stay reserved. */
function ReservationClock() {
  const { model, t } = useView();
  const left = model.reservedMs.value;
  const isPast = isOver(model.reservation.value) || (left !== undefined && left <= 0);
  // Beside the reason of a refusal it would be a second one.
  if (isPast) return model.notice.value ? null : <p class="reservation">{t('reservationOver')}</p>;
  if (left === undefined) return null;
  return (
    <p class={`reservation ${left <= 60_000 ? 'clock-urgent' : ''}`}>
      <Icon name="clock" />
      {t('reservedFor', { time: timeText(t, timeLeft(left)) })}
    </p>
  );
}

/** The element for the gateway's own fields, which the gateway draws. */
function CardPlace({ pay }: { pay: Pay }) {
  const { model, t, actions } = useView();
  const place = useRef<HTMLDivElement>(null);
  const state = useSignal<'loading' | 'ready' | 'away'>('loading');
  const mount = (): void => {
    if (!place.current) return;
    state.value = 'loading';
    actions.mountCard(place.current, pay).then(
      () => (state.value = 'ready'),
      () => (state.value = 'away'),
    );
  };
  useEffect(() => {
    mount();
    const left = new AbortController();
    if (place.current) keepHeightDuringPress(place.current, left.signal);
    // What was said of a lost connection is over once it is back.
    const tryAgain = (): void => {
      if (state.value === 'away') mount();
      const { value: notice } = model.notice;
      if (notice?.kind === 'reason' && notice.reason === 'fieldAway') actions.dismiss();
    };
    addEventListener('online', tryAgain, { signal: left.signal });
    return () => {
      left.abort();
      actions.unmountCard();
    };
  }, []);
  return (
    <div class="field" role="group" aria-labelledby="card-label">
      <span id="card-label" class="label">
        {t('cardTitle')}
      </span>
      <div class={`card-place card-${state.value}`} data-title={t('cardTitle')} ref={place} />
      <div role="status" class="status-place">
        {state.value === 'loading' && <p class="hint">{t('cardLoading')}</p>}
      </div>
      {state.value === 'away' && (
        <div class="notice" role="alert">
          <Icon name="info" />
          <p>{t('fieldAway')}</p>
          <button type="button" class="secondary" onClick={mount}>
            {t('tryAgain')}
          </button>
        </div>
      )}
    </div>
  );
}
