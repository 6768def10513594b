import { renderToString } from 'preact-render-to-string';
import type { Drawn, Locale, ServerEntry, View } from './bootstrap.ts';
import { allMessages } from './i18n/all.ts';
import { findDirection } from './i18n/direction.ts';
import { translator, type Translate } from './i18n/translate.ts';
import { checkoutModel } from './state/model.ts';
import { App } from './ui/app.tsx';
import { problemKey, ProblemPage } from './ui/problem.tsx';
import { buildView } from './view.ts';

/** Draws a view on the server; the browser's code hydrates it. */
export const draw: ServerEntry['draw'] = (view: View): Drawn => {
  switch (view.kind) {
    case 'page': {
      const { bootstrap } = view;
      const page = buildView(checkoutModel(bootstrap), speak(bootstrap.locale));
      return {
        html: renderToString(<App view={page} />),
        title: bootstrap.group.name,
        dir: findDirection(bootstrap.locale),
      };
    }
    case 'embed':
      return { html: '', title: '', dir: findDirection(view.locale) };
    case 'problem': {
      const t = speak(view.locale);
      const page = <ProblemPage problem={view.problem} t={t} />;
      return {
        html: renderToString(page),
        title: t(problemKey(view.problem)),
        dir: findDirection(view.locale),
      };
    }
  }
};

const speak = (locale: Locale): Translate => translator(locale, allMessages[locale]);
