import type { Context } from '../flow/context.ts';
import type { CardLooks, Pay } from './card-form.ts';
import { loadCardForm } from './load.ts';

/**
 * Puts the card fields of the group's gateway into `place`, and its wallets into the page's element `express`. Rejects when no
 * payment was started, or the fields cannot be loaded.
 */
export async function mountCard(context: Context, place: HTMLElement, payBy: Pay): Promise<void> {
  const { bootstrap, started } = context.model;
  if (!bootstrap.gateway || !started.value) throw new Error('no card form');
  const form = await loadCardForm(bootstrap.gateway, context, started.value);
  const looks = readLooks(place, bootstrap.locale);
  void form.mountExpress?.(document.getElementById('express') as HTMLElement, looks, payBy);
  await form.mount(place, looks);
  context.cardForm = form;
}

/** The page around the widget may have chosen the scheme; otherwise the payer's device does. */
function isDark(): boolean {
  const { scheme } = document.documentElement.dataset;
  return scheme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : scheme === 'dark';
}

/** Returns this page's looks; the gateway's fields are drawn elsewhere and need them. */
function readLooks(place: HTMLElement, locale: string): CardLooks {
  const style = getComputedStyle(place);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    locale,
    style: {
      color: read('--ink'),
      background: read('--field'),
      placeholder: read('--muted'),
      danger: read('--danger'),
      accent: read('--accent'),
      font: style.fontFamily,
    },
    isDark: isDark(),
  };
}
