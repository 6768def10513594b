import { useEffect, useRef } from 'preact/hooks';
import { listExtensions, type Extension } from './extensions.ts';
import { useOrganiser, type OrganiserView } from './model.ts';
import { Told } from './told.tsx';
import { writeEnd } from './write-end.ts';

/** The later ends that the organiser may choose. */
export function MoreTime() {
  const view = useOrganiser();
  const { model, t, actions } = view;
  const { latest_expires_at: latest } = model.bootstrap;
  const choices = listExtensions(model.live.value.expires_at, latest);
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    // The last button that had the focus is gone: what became of it takes the focus. The stream may bring the end first.
    if (choices.length === 0 && document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>('.told')?.focus();
  }, [choices.length, model.told.value]);
  return (
    <section class="step panel needs-script" aria-labelledby="time-title" ref={place}>
      <h2 id="time-title">{t('extendTitle')}</h2>
      {choices.length === 0 && <p class="hint">{t('cannotExtend')}</p>}
      <div class="row">
        {choices.map((choice) => (
          <button
            key={choice.key}
            type="button"
            class="secondary"
            aria-disabled={model.pending.value !== null}
            onClick={() => actions.extend(choice.expires_at)}
          >
            {nameChoice(view, choice)}
          </button>
        ))}
      </div>
      <Told of="extend" />
    </section>
  );
}

const nameChoice = (view: OrganiserView, { key, expires_at }: Extension): string =>
  view.t(key, { date: writeEnd(view, expires_at) });
