import { renderToString } from 'preact-render-to-string';
import {
  findLanguage,
  type Drawn,
  type Locale,
  type Problem,
  type Sentences,
  type ServerEntry,
  type View,
} from './bootstrap.ts';
import { FriendsPage } from './friends/friends-page.tsx';
import { allMessages } from './i18n/all.ts';
import { findDirection } from './i18n/direction.ts';
import { mailMessages } from './i18n/mail/all.ts';
import { organiserMessages } from './i18n/organiser/all.ts';
import { serverMessages } from './i18n/server.ts';
import { translator, type Translate } from './i18n/translate.ts';
import { OrganiserApp } from './organiser/app.tsx';
import {
  buildOrganiserView,
  INERT_ORGANISER,
  organiserModel,
  type OrganiserTranslate,
} from './organiser/model.ts';
import { PaymentPage } from './payment/payment-page.tsx';
import { writeProgress } from './slots/progress.ts';
import { nameShare } from './slots/slot.ts';
import { checkoutModel } from './state/model.ts';
import { pageTitle } from './title.ts';
import { App } from './ui/app.tsx';
import { INERT } from './ui/inert.ts';
import { LATER_PARTS } from './ui/later-parts.ts';
import { ProblemPage } from './ui/problem.tsx';
import type { View as Shown } from './ui/view.ts';
import { buildView } from './view.ts';

export { writeTips } from './i18n/tips/write-tips.ts';
export { writeMinimum } from './i18n/minimum/write-minimum.ts';
export { writeMail } from './payment/write-mail.tsx';

/** Draws a view on the server; the browser's code hydrates it. */
export const draw: ServerEntry['draw'] = (view: View): Drawn => {
  switch (view.kind) {
    case 'page': {
      const { bootstrap } = view;
      const model = checkoutModel(bootstrap);
      model.later.value = LATER_PARTS;
      const page = buildView(model, speak(bootstrap.locale, bootstrap.sentences), INERT);
      return {
        html: renderToString(<App view={page} />),
        title: pageTitle(bootstrap),
        dir: findDirection(bootstrap.locale),
        description: describe(page),
      };
    }
    case 'friends': {
      const { page } = view;
      const t = speak(page.locale, page.sentences);
      return {
        html: renderToString(<FriendsPage page={page} t={t} />),
        title: `${t('invite')} · ${pageTitle(page)}`,
        dir: findDirection(page.locale),
      };
    }
    case 'organiser': {
      const { bootstrap } = view;
      const { locale, sentences } = bootstrap;
      const t = speakToOrganiser(locale, sentences);
      const page = buildOrganiserView(organiserModel(bootstrap), t, INERT_ORGANISER);
      // Without a description: a preview of this link is of no use to anybody but its holder.
      return {
        html: renderToString(<OrganiserApp view={page} />),
        title: pageTitle(bootstrap),
        dir: findDirection(locale),
      };
    }
    case 'embed':
      return {
        html: '',
        title: serverMessages[findLanguage(view.locale)].frameTitle,
        dir: findDirection(view.locale),
      };
    case 'payment': {
      const { locale, payee } = view.payment;
      const { title } = mailMessages[findLanguage(locale)];
      return {
        html: renderToString(<PaymentPage {...view} />),
        title: payee === null ? title : `${title} · ${payee}`,
        dir: findDirection(locale),
      };
    }
    case 'problem': {
      const page = findProblem(view.problem, view.locale);
      return {
        html: renderToString(<ProblemPage {...page} isFramed={view.problem === 'unregistered'} />),
        title: page.title,
        dir: findDirection(view.locale),
      };
    }
  }
};

function findProblem(problem: Problem, locale: Locale): { title: string; text: string } {
  if (problem !== 'unavailable') return serverMessages[findLanguage(locale)][problem];
  const t = speak(locale);
  return { title: t('problemUnavailable'), text: t('problemUnavailableText') };
}

const speak = (locale: Locale, sentences?: Sentences): Translate =>
  translator(locale, { ...allMessages[findLanguage(locale)], ...sentences });

function speakToOrganiser(locale: Locale, sentences?: Sentences): OrganiserTranslate {
  const language = findLanguage(locale);
  return translator(locale, { ...allMessages[language], ...organiserMessages[language], ...sentences });
}

/** Returns the text of a link's preview: payee, the share that it is for, and amount, and while the group is open how far it is and until when. */
function describe({ model, t, money, locale }: Shown): string {
  const { payee, group } = model.bootstrap;
  const linked = model.slots.value.find(({ id }) => id === model.linked);
  const facts = [
    ...(payee === null ? [] : [t('payTo', { payee })]),
    ...(linked ? [nameShare(t, linked), money(linked.amount)] : [money(BigInt(group.total_minor))]),
  ];
  if (!model.awaitsPayers.value) return facts.join(' · ');
  const progress = writeProgress(t, model);
  const date = new Intl.DateTimeFormat(locale, IN_ALL_ZONES).format(new Date(group.expires_at));
  return [...facts, ...(progress ? [progress] : []), t('openUntil', { date })].join(' · ');
}

/** A preview is stored and forwarded: its reader may be anywhere, on another day. */
const IN_ALL_ZONES: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
};
