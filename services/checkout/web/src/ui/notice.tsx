import { reasonText } from '../flow/declines.ts';
import { lossText } from '../flow/notices.ts';
import type { Notice as NoticeOf } from '../state/model.ts';
import { Icon } from './icons.tsx';
import { useGroupView, useView } from './view.ts';

/** The notice of what went wrong or was taken, and what the payer can do. */
export function Notice() {
  const { model, t, actions } = useView();
  const notice = model.notice.value;
  // Screen readers announce the text only when the region exists before it.
  return (
    <div role="alert" class="alert-place">
      {notice && !isBadEmail(notice) && (
        <div class={`notice ${notice.kind === 'lost' ? 'notice-calm' : ''}`} tabIndex={-1}>
          <Icon name="info" />
          <p>
            {notice.kind === 'reason'
              ? reasonText(t, notice.reason)
              : notice.losses.map((loss) => lossText(t, loss)).join(' ')}
          </p>
          <button type="button" class="icon-button" aria-label={t('dismiss')} onClick={actions.dismiss}>
            <Icon name="cross" />
          </button>
        </div>
      )}
    </div>
  );
}

/** A refused e-mail address has its reason beside the field. */
export const isBadEmail = (notice: NoticeOf | null): boolean =>
  notice?.kind === 'reason' && notice.reason === 'badEmail';

/** Why a request takes long. */
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

/** Announces to screen readers what the page shows visually. */
export function Spoken() {
  const { model } = useGroupView();
  return (
    <p class="spoken" role="status" aria-live="polite">
      {model.spoken.value}
    </p>
  );
}

/** A note that the data shown may be outdated. */
export function Stale() {
  const { model, t } = useGroupView();
  return (
    <div role="status" class="status-place">
      {model.isStale.value && <p class="stale">{t('stale')}</p>}
    </div>
  );
}
