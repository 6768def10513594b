import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { LANGUAGES } from '@gp/checkout-web/bootstrap';
import { found } from './support/checkout.ts';
import { openCheckoutWeb, pageToken, type CheckoutWeb } from './support/web.ts';

/** What the first visit of the page may cost: HTML, styles and scripts together, compressed with gzip, bytes. */
const MOST_BYTES = 30_000;

let web: CheckoutWeb;

beforeAll(async () => {
  web = await openCheckoutWeb();
  await web.rotate();
  await web.activate('gateway_a');
  await web.name('The Grand Old Restaurant');
});
afterAll(() => web?.close());

type Served = { readonly bytes: number; readonly text: string };

/** Returns an answer as it travels to a browser that knows only gzip. */
async function serve(path: string, language = 'en'): Promise<Served> {
  const headers = { 'accept-encoding': 'gzip', 'accept-language': language };
  const answer = await web.ask(path, { headers });
  expect([path, answer.status, answer.headers.get('content-encoding')]).toEqual([path, 200, 'gzip']);
  const text = await answer.text();
  const bytes = Number(answer.headers.get('content-length'));
  expect(bytes).toBeGreaterThan(0);
  return { bytes, text };
}

/** Returns what a browser fetches to show the page and to take the first press: what the document names, and their imports. */
async function listFiles(html: string, tips: boolean): Promise<Map<string, number>> {
  const named = [...html.matchAll(/(?:href|src)="\/assets\/([^"]+)"/g)].map(([, file = '']) => file);
  const files = new Map<string, number>();
  for (const waiting = [...named]; waiting.length > 0;) {
    const file = waiting.pop() ?? '';
    if (files.has(file)) continue;
    const { bytes, text } = await serve(`/assets/${file}`);
    files.set(file, bytes);
    waiting.push(
      ...[...text.matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)].map(([, name = '']) => name),
    );
    if (!tips) continue;
    // The page of a group that takes tips fetches this one by itself.
    const offer = /import\(["'`]\.\/(tips-[^"'`]+)["'`]\)/.exec(text)?.[1];
    if (offer !== undefined) waiting.push(offer);
  }
  return files;
}

const change = (slots: number, tips: boolean): void =>
  web.change({
    ...found,
    group: { ...found.group, group_name: 'Dinner', ...(tips && { max_tip_minor: '5000' }) },
    slots: Array.from({ length: slots }, (_, at) => ({
      ...found.slots[0]!,
      id: `01a228cf-5531-7${randomUUID().slice(15)}`,
      sequence_no: at + 1,
    })),
  });

it.each(LANGUAGES.flatMap((language) => [false, true].map((tips) => ({ language, tips }))))(
  'the first visit costs at most 30 kB as it is served with gzip: $language, tips $tips (Q101)',
  async ({ language, tips }) => {
    for (const slots of [4, 10]) {
      change(slots, tips);
      const { bytes, text } = await serve(`/c/${pageToken}`, language);
      const files = await listFiles(text, tips);
      const kinds = [...files.keys()].map((file) => file.replace(/-[\w-]{8}\./, '.')).toSorted();
      expect(kinds).toEqual(
        [`${language}.js`, 'mount.css', 'mount.js', 'page.js', ...(tips ? ['tips.js'] : [])].toSorted(),
      );
      const total = [...files.values()].reduce((sum, each) => sum + each, bytes);
      expect(total).toBeLessThanOrEqual(MOST_BYTES);
    }
  },
);

it('the code and the sentences of later steps are files that the first visit does not fetch, and the page knows where they are (Q101)', async () => {
  change(4, false);
  const { text } = await serve(`/c/${pageToken}`);
  const files = await listFiles(text, false);
  const later = /data-later="\/assets\/(later-en-[^"]+)"/.exec(text)?.[1] ?? '';
  const mount = [...files.keys()].find((file) => /^mount-.*js$/.test(file)) ?? '';
  const steps =
    /import\(["'`]\.\/(steps-[^"'`]+)["'`]\)/.exec((await serve(`/assets/${mount}`)).text)?.[1] ?? '';
  expect([files.has(later), files.has(steps)]).toEqual([false, false]);
  expect((await serve(`/assets/${later}`)).text).toContain('You are in');
  expect((await serve(`/assets/${steps}`)).text).toContain('doneTitle');
});
