import { signal } from '@preact/signals';
import { findLanguage, type FriendsPage as Page } from '../bootstrap.ts';
import { friendsMessages, type FriendsMessages } from '../i18n/friends/all.ts';
import type { MessageKey } from '../i18n/en.ts';
import type { Translate } from '../i18n/translate.ts';
import { moneyFormat } from '../money/money.ts';
import { writeProgress } from '../slots/progress.ts';
import { nameShare } from '../slots/slot.ts';
import { groupModel, type GroupModel } from '../state/group-model.ts';
import { findEnding } from '../ui/panel.tsx';
import { QrCode } from './qr-code.tsx';
import { writeUntil } from './until.ts';

type Parts = { readonly page: Page; readonly model: GroupModel; readonly t: Translate };

/**
 * The page on which payers invite others: ways to send the link, the link and its code. Only its buttons to copy and share,
 * and the time zone of the device, need a script.
 */
export function FriendsPage({ page, t }: Pick<Parts, 'page' | 't'>) {
  const { group, payee, mode, locale, path } = page;
  const own = friendsMessages[findLanguage(locale)];
  const model = groupModel(page, signal(new Set<string>()));
  const isOpen = model.awaitsPayers.value;
  return (
    <div class="page friends">
      <main class="bill">
        {mode === 'test' && <p class="badge">{t('testMode')}</p>}
        <h1>{isOpen ? t('invite') : <Ending model={model} t={t} />}</h1>
        <p class="friends-bill">
          <bdi>{group.name}</bdi>
          {payee !== null && <small>{t('payTo', { payee })}</small>}
        </p>
        {isOpen && <Invitation page={page} model={model} t={t} own={own} />}
        <p>
          <a class="friends-link" id="back" href={path}>
            {own.back}
          </a>
        </p>
      </main>
    </div>
  );
}

/** How a group ended that takes no more payments. */
function Ending({ model, t }: Pick<Parts, 'model' | 't'>) {
  const stem = findEnding(model)?.[0] ?? 'expired';
  return <>{t(`${stem}Title` as MessageKey)}</>;
}

function Invitation({ page, model, t, own }: Parts & { own: FriendsMessages }) {
  const { group, written_as, link, slot: number } = page;
  const progress = writeProgress(t, model);
  const money = moneyFormat(written_as, group.currency, group.fraction_digits);
  const slot = model.slots.value.find((each) => each.number === number);
  return (
    <>
      <p>
        {progress && `${progress} · `}
        <Until t={t} at={group.expires_at} locale={written_as} />
      </p>
      {slot && (
        <p class="friends-slot">
          {nameShare(t, slot)} · {money(slot.amount)}
        </p>
      )}
      <p class="hint">{own.hint}</p>
      <Ways page={page} t={t} own={own} />
      <QrCode text={link} label={own.qr} />
      <p>
        <a class="friends-address" href={link} dir="ltr">
          {link}
        </a>
      </p>
      <OtherLinks page={page} model={model} t={t} own={own} />
    </>
  );
}

/** Until when a group takes payments: in UTC, until the page's script knows the time zone of the device. */
function Until({ t, at, locale }: Pick<Parts, 't'> & { at: string; locale: string }) {
  const [before, after] = t('openUntil', { date: '\n' }).split('\n');
  return (
    <>
      {before}
      <time dateTime={at} data-locale={locale}>
        {writeUntil(locale, at, 'UTC')}
      </time>
      {after}
    </>
  );
}

/** What sends the link: by other programs, and where a script runs by the device's own menu and the clipboard. */
function Ways({ page, t, own }: Omit<Parts, 'model'> & { own: FriendsMessages }) {
  const message = own.message.replace('{name}', () => page.called);
  const text = `${message} ${page.link}`;
  const mail = `mailto:?subject=${encode(page.called)}&body=${encode(text)}`;
  return (
    <div class="friends-ways">
      <button type="button" class="primary" id="share" data-text={message} hidden>
        {t('sendLink')}
      </button>
      <button type="button" class="secondary" id="copy" data-copied={t('copied')} hidden>
        <span aria-live="polite">{own.copy}</span>
      </button>
      <a
        class="secondary"
        href={`https://wa.me/?text=${encode(text)}`}
        target="_blank"
        rel="noopener noreferrer"
      >
        WhatsApp
      </a>
      <a class="secondary" href={mail}>
        {t('email')}
      </a>
    </div>
  );
}

/** The links of single shares that are available, and back to that of all. */
function OtherLinks({ page, model, t, own }: Parts & { own: FriendsMessages }) {
  const here = `${page.path}/friends`;
  const others = model.free.value.filter(({ number }) => number !== page.slot);
  return (
    <>
      {page.slot !== undefined && (
        <p>
          <a class="friends-link" href={here}>
            {own.forAll}
          </a>
        </p>
      )}
      {model.slots.value.length > 1 && others.length > 0 && (
        <details class="how">
          <summary>{own.forOne}</summary>
          <ul>
            {others.map((slot) => (
              <li key={slot.id}>
                <a class="friends-link" href={`${here}?slot=${slot.number}`}>
                  {nameShare(t, slot)}
                </a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Returns a text as part of an address. Half a character, which a name may end with, would throw. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
