import { expect, it } from '@jest/globals';
import { renderDocument, type Document } from './document.ts';

const page: Document = {
  locale: 'en',
  drawn: { dir: 'ltr', title: 'A page', html: '<h1>A page</h1>' },
  loads: {
    script: '/page.js',
    styles: [],
    preloads: [],
    sentences: '/en.js',
    laterSentences: '/later-en.js',
  },
  nonce: 'nonce',
};
/** The script that runs before anything is drawn, and whether the page begins as one whose module has not run. */
const readBegin = (html: string) => ({
  first: /<script nonce="nonce">(.*)<\/script>/.exec(html)?.[1],
  isPlain: html.includes('<html lang="en" dir="ltr" class="plain">'),
});

it.each([true, false])(
  'a page that needs its module checks the browser first, whether its module writes sentences or not: %s',
  (hasSentences) => {
    const html = renderDocument({ ...page, hasSentences });
    expect(readBegin(html)).toEqual({ first: expect.stringMatching(/^if\(Object\.hasOwn\)/), isPlain: true });
    expect(html.includes('href="/en.js"')).toBe(hasSentences);
  },
);

it('a page that is whole without its module keeps the places of the buttons which the module shows', () => {
  const html = renderDocument({ ...page, firstScript: 'keepPlaces' });
  expect(readBegin(html)).toEqual({ first: expect.stringContaining('can-share'), isPlain: false });
});

it('a page without a script runs none before it is drawn, either', () => {
  const html = renderDocument({ ...page, isStatic: true });
  expect(html).not.toContain('<script');
  expect(readBegin(html)).toEqual({ first: undefined, isPlain: false });
});
