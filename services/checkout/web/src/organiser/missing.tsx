import { useEffect, useRef } from 'preact/hooks';
import { SendLink } from '../ui/send-link.tsx';
import { useOrganiser } from './model.ts';
import { Told } from './told.tsx';

/** How many shares are missing, and what brings them in: the link, a reminder, or paying what is left. */
export function Missing() {
  const { model, t, sum, payersPath } = useOrganiser();
  const missing = model.slots.value.length - model.secured.value.length;
  const free = model.free.value;
  return (
    <section class="step panel" aria-labelledby="step-title">
      <h2 id="step-title" tabIndex={-1}>
        {t.many('waiting', missing)}
      </h2>
      <p>{t('sendHint')}</p>
      <p class="hint">{t('keepLink')}</p>
      <p class="no-script">{t('noScript')}</p>
      <div class="action needs-script">
        <SendLink />
        <Remind />
      </div>
      {free.length > 0 && (
        <a class="secondary" href={`${payersPath}?choose=free`}>
          {t('payRest', { amount: sum(free) })}
        </a>
      )}
    </section>
  );
}

/** The button that mails those who have begun; without anybody to mail there is none, and the link is what remains. */
function Remind() {
  const { model, t, actions } = useOrganiser();
  const { remindable, pending, told } = model;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that had the focus went with its press: what became of it takes the focus.
    if (remindable.value === 0) place.current?.querySelector<HTMLElement>('.told')?.focus();
  }, [told.value]);
  return (
    <div class="action" ref={place}>
      {remindable.value > 0 && (
        <>
          <button
            type="button"
            class="secondary"
            aria-disabled={pending.value !== null}
            onClick={actions.remind}
          >
            {t.many('remind', remindable.value)}
          </button>
          <p class="hint">{t('remindHint')}</p>
        </>
      )}
      <Told of="remind" />
    </div>
  );
}
