import { hydrate, render } from 'preact';
import type { Bootstrap } from './bootstrap.ts';
import { fetchSteps } from './flow/load-steps.ts';
import { openCheckout } from './flow/start.ts';
import type { Host } from './host.ts';
import { loadMessages } from './i18n/load.ts';
import { translator } from './i18n/translate.ts';
import type { Early } from './state/model.ts';
import { App } from './ui/app.tsx';
import { buildActions, buildView } from './view.ts';

/**
 * Starts the payment form in an element: a form that the server has drawn is hydrated as it stands, an empty
 * element is filled. Returns a function that takes it down.
 */
export async function mountCheckout(o: {
  bootstrap: Bootstrap;
  host: Host;
  root: HTMLElement;
  /** Opens the page again, under another gateway's policy. */
  reopen?: (pspCode: string) => void;
}): Promise<() => void> {
  const { bootstrap, host, root } = o;
  const { sentences } = bootstrap;
  const messages = { ...(await loadMessages()), ...sentences };
  const t = translator(bootstrap.locale, messages);
  const opened = openCheckout({
    bootstrap,
    host,
    t,
    fetchSteps: (onWait) => fetchSteps(messages, sentences, onWait),
    ...(o.reopen && { reopen: o.reopen }),
  });
  const view = buildView(opened.model, t, buildActions(opened));
  const app = <App view={view} />;
  if (opened.isReturn) await opened.loadSteps();
  const early = earlyInput(root);
  if (root.firstChild) hydrate(app, root);
  else render(app, root);
  opened.start(early);
  // The first touch is soon followed by the first press of the button.
  for (const touch of ['pointerdown', 'focusin'])
    root.addEventListener(touch, () => void opened.loadSteps(), { once: true });
  if (bootstrap.tips) void import('./tips/tips.tsx').then((tips) => tips.offerTips(view));
  return () => {
    opened.stop();
    render(null, root);
  };
}

/** Returns what people chose and typed while this code was still loading, so that none of it is lost. */
function earlyInput(root: HTMLElement): Early {
  const tiles = [...root.querySelectorAll<HTMLInputElement>('.tile input')];
  const isTouched = tiles.some(({ checked, defaultChecked }) => checked !== defaultChecked);
  const typed = (id: string): string => root.querySelector<HTMLInputElement>(`#${id}`)?.value ?? '';
  return {
    selected: isTouched ? tiles.filter(({ checked }) => checked).map(({ value }) => value) : [],
    email: typed('email'),
    name: typed('name'),
  };
}
