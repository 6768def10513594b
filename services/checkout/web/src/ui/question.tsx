import { useView } from './view.ts';

type Asked = {
  readonly title: string;
  /** What the button says that does it, and what it does. */
  readonly yes: string;
  readonly act: () => void;
};

/** Stays the same function, so that it is called once. */
const takeFocus = (heading: HTMLElement | null): void => heading?.focus();

/** Asks a payer who has paid on this device, and is told so, before something that cannot be taken back. */
export function Question({ title, yes, act }: Asked) {
  const { model, t, sum } = useView();
  return (
    <div class="again" role="group" aria-labelledby="again-title">
      <h3 id="again-title" tabIndex={-1} ref={takeFocus}>
        {title}
      </h3>
      <p>{t('againText', { amount: sum(model.mine.value) })}</p>
      <button type="button" class="primary" onClick={act}>
        {yes}
      </button>
      <Leave />
    </div>
  );
}

/** Asks whether a further payment is meant. */
export function PayAgain({ amount }: { amount: string }) {
  const { t, actions } = useView();
  return <Question title={t('againTitle')} yes={t('againYes', { amount })} act={actions.payAgain} />;
}

/** Leads a payer who has paid back to the receipts. */
export function Leave() {
  const { t, actions } = useView();
  return (
    <button type="button" class="secondary" onClick={actions.leaveIt}>
      {t('againNo')}
    </button>
  );
}
