import { gzipSync } from 'node:zlib';
import { LOCALES } from '../bootstrap.ts';
import { allMessages } from './all.ts';
import { findDirection } from './direction.ts';
import { serverMessages } from './server.ts';
import { translator } from './translate.ts';

const english = allMessages.en;
const holes = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(LOCALES.map((locale) => [locale, allMessages[locale]] as const))('%s', (locale, messages) => {
  it('a language has every sentence, and no other', () => {
    expect(Object.keys(messages).toSorted()).toEqual(Object.keys(english).toSorted());
    expect(Object.entries(messages).filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('a language fills in the same values as English', () => {
    const differing = Object.entries(messages).filter(
      ([key, text]) => String(holes(text)) !== String(holes(english[key as keyof typeof english])),
    );
    expect(differing).toEqual([]);
  });

  it('every sentence of a language was translated', () => {
    if (locale === 'en') return;
    const same = Object.entries(messages).filter(
      ([key, text]) => text === english[key as keyof typeof english] && text.length > 25,
    );
    expect(same).toEqual([]);
  });

  it('the sentences that only the server writes were translated, too', () => {
    const { not_found, too_many } = serverMessages[locale];
    const texts = [not_found.title, not_found.text, too_many.title, too_many.text];
    const { not_found: lost, too_many: crowd } = serverMessages.en;
    const originals = [lost.title, lost.text, crowd.title, crowd.text];
    expect(texts.filter((text, at) => text === originals[at])).toEqual(locale === 'en' ? originals : []);
    expect(new Set(texts).size).toBe(4);
  });

  it('a language costs a payer at most 3 kB', () => {
    expect(gzipSync(JSON.stringify(messages), { level: 9 }).length).toBeLessThanOrEqual(3_000);
  });
});

describe('a sentence', () => {
  it('a sentence is chosen by number', () => {
    const t = translator('en', english);
    expect(t.many('waiting', 1)).toMatch(/^1 share is/);
    expect(t.many('waiting', 2)).toMatch(/^2 shares are/);
  });

  it('a sentence is filled in with its values', () => {
    expect(translator('en', english)('payTitle', { amount: '€10.00' })).toBe('Pay €10.00');
  });
});

describe('the direction of a page', () => {
  it.each([
    ['en', 'ltr'],
    ['ar', 'rtl'],
    ['he', 'rtl'],
  ])('the page of the language %s runs %s', (language, direction) => {
    expect(findDirection(language)).toBe(direction);
  });
});
