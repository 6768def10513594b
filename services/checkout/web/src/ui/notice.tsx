import { lossText } from '../flow/notices.ts';
import { Icon } from './icons.tsx';
import { useView } from './view.ts';

/** What went wrong, or was taken, and what can be done about it. */
export function Notice() {
  const { model, t, actions } = useView();
  const notice = model.notice.value;
  const text =
    notice === null
      ? ''
      : notice.kind === 'reason'
        ? t(notice.reason)
        : notice.losses.map((loss) => lossText(t, loss)).join(' ');
  // The region is there before its text is: only then is it read out.
  return (
    <div role="alert" class="alert-place">
      {notice && (
        <div class={`notice ${notice.kind === 'lost' ? 'notice-calm' : ''}`}>
          <Icon name="info" />
          <p>{text}</p>
          <button type="button" class="icon-button" aria-label={t('dismiss')} onClick={actions.dismiss}>
            <Icon name="cross" />
          </button>
        </div>
      )}
    </div>
  );
}

/** Why a request is on its way for so long. */
export function WaitingNote() {
  const { model, t } = useView();
  const waiting = model.waiting.value;
  const seconds = waiting ? Math.max(1, Math.ceil((waiting.until - model.now.value) / 1_000)) : 0;
  return (
    <div role="status" class="status-place">
      {waiting && <p class="waiting">{t(waiting.because, { seconds })}</p>}
    </div>
  );
}

/** Says what those who look see by themselves. */
export function Spoken() {
  const { model } = useView();
  return (
    <p class="spoken" role="status" aria-live="polite">
      {model.spoken.value}
    </p>
  );
}

/** What is shown may have been overtaken. */
export function Stale() {
  const { model, t } = useView();
  return (
    <div role="status" class="status-place">
      {model.isStale.value && <p class="stale">{t('stale')}</p>}
    </div>
  );
}
