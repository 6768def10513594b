import { timeLeft } from '../clock/countdown.ts';
import { formatEnd } from '../clock/format-end.ts';
import { writeProgress } from '../slots/progress.ts';
import { Icon } from './icons.tsx';
import { Ring } from './ring.tsx';
import { timeText, useGroupView } from './view.ts';

/** The bill, its progress and its remaining time. */
export function Bill() {
  const { model, t, money, friendsPath, isFramed } = useGroupView();
  const { group, mode, payee, logo } = model.bootstrap;
  const isOpen = model.awaitsPayers.value;
  // Progress means nothing after a group ended without payments or was refunded in full.
  const hasProgress = isOpen || model.secured.value.length > 0;
  const total = money(BigInt(group.total_minor));
  return (
    <section class="bill" aria-labelledby="bill-name">
      {logo && <img class="logo" {...logo} alt={payee ?? ''} />}
      {mode === 'test' && <p class="badge">{t('testMode')}</p>}
      <h1 id="bill-name">
        <bdi>{group.name}</bdi>
      </h1>
      {payee !== null && <p class="payee">{t('payTo', { payee })}</p>}
      {hasProgress ? <Progress total={total} /> : <p class="total">{total}</p>}
      {isOpen && <GroupClock />}
      {isOpen && (
        <p class="promise">
          <Icon name="lock" />
          {t('promise')}
        </p>
      )}
      {isOpen && friendsPath !== null && (
        <a href={friendsPath} {...(isFramed && { target: '_blank', rel: 'noopener' })}>
          {t('invite')}
        </a>
      )}
    </section>
  );
}

function Progress({ total }: { total: string }) {
  const { model, t, sum } = useGroupView();
  const secured = model.secured.value;
  const count = writeProgress(t, model);
  return (
    <div class="progress">
      <div class="dial">
        <Ring />
        <span class="dial-text" aria-hidden="true">
          {secured.length}/{model.slots.value.length}
        </span>
      </div>
      <div>
        <p class="sums">
          <strong>{sum(secured)}</strong> <span>{t('ofTotal', { amount: total })}</span>
        </p>
        {count && <p class="count">{count}</p>}
      </div>
    </div>
  );
}

/** The first clock: the time until the group expires. */
function GroupClock() {
  const { model, t, locale } = useGroupView();
  const left = timeLeft(model.groupLeftMs.value);
  const isUrgent = left.unit === 'minutes' && model.groupLeftMs.value <= 300_000;
  const zone = model.isRunning.value ? {} : { timeZone: 'UTC', timeZoneName: 'short' as const };
  const ends = new Date(model.live.value.expires_at);
  return (
    <p class={`clock ${isUrgent ? 'clock-urgent' : ''}`}>
      <Icon name="clock" />
      <span>
        {left.unit === 'over' ? t('timeUp') : <b>{t('openFor', { time: timeText(t, left) })}</b>}
        <small>{t('openUntil', { date: formatEnd(ends, new Date(model.now.value), locale, zone) })}</small>
      </span>
    </p>
  );
}

/** The rules, for people who want to read them before they pay. */
export function HowItWorks() {
  const { t } = useGroupView();
  return (
    <details class="how">
      <summary>{t('howTitle')}</summary>
      <ol>
        <li>{t('how1')}</li>
        <li>{t('how2')}</li>
        <li>{t('how3')}</li>
      </ol>
    </details>
  );
}
