import { computed } from '@preact/signals';
import { BOOTSTRAP_ID, type OrganiserBootstrap } from '../bootstrap.ts';
import type { OrganiserModel } from './model.ts';

/**
 * Keeps the number of payers whom a reminder would reach while the page stays open: each change of a share reads it from the
 * page's own document again. What cannot be read changes nothing, and the next change reads again.
 */
export function followRemindable(
  { slots, remindable, bootstrap: { may, path } }: OrganiserModel,
  signal: AbortSignal,
): void {
  if (!may.includes('remind')) return;
  const states = computed(() => slots.value.map(({ state }) => state).join());
  let known = states.value;
  let last = new AbortController();
  const stop = states.subscribe((now) => {
    if (now === known) return;
    known = now;
    last.abort();
    last = new AbortController();
    readRemindable(path, last.signal).then(
      (count) => (remindable.value = count),
      () => undefined,
    );
  });
  signal.addEventListener('abort', () => {
    stop();
    last.abort();
  });
}

async function readRemindable(path: string, signal: AbortSignal): Promise<number> {
  const answer = await fetch(path, { signal, cache: 'no-store', referrerPolicy: 'no-referrer' });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const text = page.getElementById(BOOTSTRAP_ID)?.textContent ?? '';
  return (JSON.parse(text) as OrganiserBootstrap).remindable;
}
