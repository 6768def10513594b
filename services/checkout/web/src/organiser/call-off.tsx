import { useEffect, useRef } from 'preact/hooks';
import { useOrganiser } from './model.ts';
import { Told } from './told.tsx';

/** The button that calls the bill off, which asks once more and says what happens. */
export function CallOff() {
  const { model, t, actions } = useOrganiser();
  const { asksCancel, pending } = model;
  const title = useRef<HTMLHeadingElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const hasAsked = useRef(false);
  useEffect(() => {
    if (asksCancel.value) title.current?.focus();
    else if (hasAsked.current) opener.current?.focus();
    hasAsked.current = asksCancel.value;
  }, [asksCancel.value]);
  return (
    <section class="call-off needs-script" aria-labelledby={asksCancel.value ? 'cancel-title' : undefined}>
      {asksCancel.value ? (
        <div class="step panel">
          <h2 id="cancel-title" tabIndex={-1} ref={title}>
            {t('cancelTitle')}
          </h2>
          <p>{t('cancelText')}</p>
          <div class="row">
            <button type="button" class="secondary" onClick={() => (asksCancel.value = false)}>
              {t('cancelNo')}
            </button>
            <button
              type="button"
              class="primary danger"
              aria-disabled={pending.value !== null}
              onClick={actions.cancel}
            >
              {t('cancelYes')}
            </button>
          </div>
        </div>
      ) : (
        <button type="button" class="link danger" ref={opener} onClick={() => (asksCancel.value = true)}>
          {t('cancel')}
        </button>
      )}
      <Told of="cancel" />
    </section>
  );
}
