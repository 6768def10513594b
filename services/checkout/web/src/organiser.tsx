import './style/organiser.css';
import { hydrate } from 'preact';
import { BOOTSTRAP_ID, OWN_SENTENCES_ID, ROOT_ID, type OrganiserBootstrap } from './bootstrap.ts';
import { keepWayBack } from './friends/way-back.ts';
import type { MessageKey } from './i18n/en.ts';
import { loadLaterMessages, loadMessages } from './i18n/load.ts';
import type { OrganiserKey, OrganiserMessages } from './i18n/organiser/en.ts';
import { translator } from './i18n/translate.ts';
import { organiserActions, sender } from './organiser/act.ts';
import { OrganiserApp } from './organiser/app.tsx';
import { buildOrganiserView, organiserModel } from './organiser/model.ts';
import { startOrganiser } from './organiser/start.ts';

async function mount(root: HTMLElement, bootstrap: OrganiserBootstrap): Promise<void> {
  const [first, later, own] = await Promise.all([
    loadMessages(),
    loadLaterMessages(),
    loadMessages<OrganiserMessages>(OWN_SENTENCES_ID),
  ]);
  const t = translator<MessageKey | OrganiserKey>(bootstrap.locale, {
    ...first,
    ...later,
    ...own,
    ...bootstrap.sentences,
  });
  const model = organiserModel(bootstrap);
  const reopen = (): void => location.reload();
  const actions = organiserActions({ model, t, send: sender(bootstrap.path), reopen });
  hydrate(<OrganiserApp view={buildOrganiserView(model, t, actions)} />, root);
  startOrganiser({ model, t, reopen });
  keepWayBack(bootstrap);
}

const root = document.getElementById(ROOT_ID);
const text = document.getElementById(BOOTSTRAP_ID)?.textContent;
if (root && text) void mount(root, JSON.parse(text) as OrganiserBootstrap);

// A page that the browser cached shows outdated data.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload();
});
