import { useEffect, useRef } from 'preact/hooks';
import { useView } from './view.ts';

type Asked = {
  readonly title: string;
  /** What the button says that does it, and what it does. */
  readonly yes: string;
  readonly act: () => void;
  readonly leave: () => void;
};

/** Asks a payer who has paid on this device, and is told so, before something that cannot be taken back. */
export function Question({ title, yes, act, leave }: Asked) {
  const { model, t, sum } = useView();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div class="again" role="group" aria-labelledby="again-title">
      <h3 id="again-title" tabIndex={-1} ref={heading}>
        {title}
      </h3>
      <p>{t('againText', { amount: sum(model.mine.value) })}</p>
      <button type="button" class="primary" onClick={act}>
        {yes}
      </button>
      <button type="button" class="secondary" onClick={leave}>
        {t('againNo')}
      </button>
    </div>
  );
}
