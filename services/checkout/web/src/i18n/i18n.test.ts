import { gzipSync } from 'node:zlib';
import { findLanguage, LANGUAGES, LOCALES, type Language } from '../bootstrap.ts';
import { allMessages } from './all.ts';
import { findDirection } from './direction.ts';
import { mailMessages } from './mail/all.ts';
import { organiserMessages } from './organiser/all.ts';
import { minimumMessages } from './minimum/all.ts';
import { serverMessages } from './server.ts';
import { friendsMessages } from './friends/all.ts';
import { tipMessages } from './tips/all.ts';
import { translator } from './translate.ts';
import { writeMinimum } from './minimum/write-minimum.ts';

const english = allMessages.en;
const holes = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();
/** The English sentence that another one translates: for a plural form that English lacks, the form `_other`. */
const findOriginal = (key: string): string =>
  english[key as keyof typeof english] ??
  english[key.replace(/_\w+$/, '_other') as keyof typeof english] ??
  '';
/** Plural forms that a language may state beyond those of English, for numbers of shares. */
const listForms = (language: Language): string[] => {
  const rules = new Intl.PluralRules(language);
  const forms = new Set(Array.from({ length: 31 }, (_, n) => rules.select(n)));
  return ['progress', 'takeAll', 'waiting'].flatMap((stem) => [...forms].map((form) => `${stem}_${form}`));
};
/** The beginnings of the words for the link and for the code. */
const LINK_AND_CODE: Readonly<Record<Language, readonly [link: string, code: string]>> = {
  en: ['link', 'code'],
  es: ['enlace', 'código'],
  ca: ['enllaç', 'codi'],
  fr: ['lien', 'code'],
  de: ['link', 'code'],
  it: ['link', 'codice'],
  pt: ['link', 'código'],
  nl: ['link', 'code'],
  pl: ['link', 'kod'],
  sv: ['länk', 'kod'],
  da: ['link', 'kode'],
  fi: ['linkki', 'koodi'],
  ro: ['link', 'cod'],
  ar: ['الرابط', 'الرمز'],
};

describe.each(LANGUAGES.map((language) => [language, allMessages[language]] as const))(
  '%s',
  (language, messages) => {
    it('a language has every sentence, and beside them only plural forms of its own', () => {
      const keys = Object.keys(messages);
      expect(Object.keys(english).filter((key) => !keys.includes(key))).toEqual([]);
      const known = [...Object.keys(english), ...listForms(language)];
      expect(keys.filter((key) => !known.includes(key))).toEqual([]);
      expect(Object.entries(messages).filter(([, text]) => text.trim() === '')).toEqual([]);
    });

    it('a language fills in the same values as English', () => {
      const differing = Object.entries(messages).filter(
        ([key, text]) => String(holes(text)) !== String(holes(findOriginal(key))),
      );
      expect(differing).toEqual([]);
    });

    it('every sentence of a language was translated', () => {
      if (language === 'en') return;
      const same = Object.entries(messages).filter(
        ([key, text]) => text === findOriginal(key) && text.length > 25,
      );
      expect(same).toEqual([]);
    });

    it('the sentences that only the server writes were translated, too', () => {
      const { not_found, too_many } = serverMessages[language];
      const texts = [not_found.title, not_found.text, too_many.title, too_many.text];
      const { not_found: lost, too_many: crowd } = serverMessages.en;
      const originals = [lost.title, lost.text, crowd.title, crowd.text];
      expect(texts.filter((text, at) => text === originals[at])).toEqual(language === 'en' ? originals : []);
      expect(new Set(texts).size).toBe(4);
    });

    it('the sentences of mails were translated, with the values of English, and are kept in their direction', () => {
      const own = Object.entries(mailMessages[language]);
      const originals = new Map(Object.entries(mailMessages.en));
      expect(own.map(([key]) => key)).toEqual([...originals.keys()]);
      const differing = own.filter(
        ([key, text]) => String(holes(text)) !== String(holes(originals.get(key) ?? '')),
      );
      expect(differing).toEqual([]);
      const same = own.filter(([key, text]) => text === originals.get(key) && key !== 'testSubject');
      expect(same).toEqual(language === 'en' ? own.filter(([key]) => key !== 'testSubject') : []);
      const isBare = own.some(([, text]) => /(^|[^\u2068])\{\w+\}/.test(text));
      expect(isBare).toBe(findDirection(language) !== 'rtl');
    });

    it('the organiser’s page has every sentence, with the values of English, in its direction, and of at most 1.5 kB', () => {
      const own = organiserMessages[language];
      const originals: Readonly<Record<string, string>> = organiserMessages.en;
      const original = (key: string): string | undefined =>
        originals[key] ?? originals[key.replace(/_\w+$/, '_other')];
      expect(Object.keys(originals).filter((key) => !(key in own))).toEqual([]);
      const differing = Object.entries(own).filter(
        ([key, text]) => String(holes(text)) !== String(holes(original(key) ?? '{unknown}')),
      );
      expect(differing).toEqual([]);
      const same = Object.entries(own).filter(([key, text]) => text === original(key));
      expect(same).toEqual(language === 'en' ? Object.entries(own) : []);
      const isBare = Object.values(own).some((text) => /(^|[^\u2068])\{\w+\}/.test(text));
      expect(isBare).toBe(findDirection(language) !== 'rtl');
      expect(gzipSync(JSON.stringify(own), { level: 9 }).length).toBeLessThanOrEqual(1_500);
    });

    it('the sentences about a capture at the expiry were translated, with the values of English, in their direction (Q90)', () => {
      const { sentences, slots } = minimumMessages[language];
      const own = Object.entries({ ...sentences, ...slots });
      const originals: Readonly<Record<string, string>> = {
        ...minimumMessages.en.sentences,
        ...minimumMessages.en.slots,
      };
      const original = (key: string): string =>
        originals[key] ?? originals[key.replace(/_\w+$/, '_other')] ?? '';
      expect(Object.keys(originals).filter((key) => !own.some(([each]) => each === key))).toEqual([]);
      const differing = own.filter(([key, text]) => String(holes(text)) !== String(holes(original(key))));
      expect(differing).toEqual([]);
      const same = own.filter(([key, text]) => text === original(key));
      expect(same).toEqual(language === 'en' ? own : []);
      const isBare = own.some(([, text]) => /(^|[^\u2068])\{\w+\}/.test(text));
      expect(isBare).toBe(findDirection(language) !== 'rtl');
      // A capture may have failed as in any group: the last sentence of the usual text is said, too.
      const decision = messages.shortText.split('. ').at(-1) ?? '';
      expect(sentences.shortText.endsWith(decision)).toBe(true);
      const kept = Object.entries(sentences).filter(([key, text]) => text === messages[key as 'promise']);
      expect(kept).toEqual([]);
    });

    it.each([
      ['tips', 'Q91', tipMessages],
      ['inviting friends', 'Q100', friendsMessages],
    ])(
      'the sentences about %s were translated, with the values of English, in their direction (%s)',
      (_, __, all) => {
        const own = Object.entries(all[language]);
        const originals = new Map(Object.entries(all.en));
        expect(own.map(([key]) => key)).toEqual([...originals.keys()]);
        expect(own.map(([, text]) => String(holes(text)))).toEqual(
          [...originals.values()].map((text) => String(holes(text))),
        );
        const same = own.filter(([key, text]) => text === originals.get(key));
        expect(same).toEqual(language === 'en' ? own : []);
        const isBare = own.some(([, text]) => /(^|[^\u2068])\{\w+\}/.test(text));
        expect(isBare).toBe(findDirection(language) !== 'rtl');
      },
    );

    it('the page to invite friends names the link before the code, as its ways to send the link come first (Q100)', () => {
      const { hint } = friendsMessages[language];
      const [link, code] = LINK_AND_CODE[language].map((word) => hint.toLowerCase().indexOf(word));
      expect(link).toBeGreaterThanOrEqual(0);
      expect(code).toBeGreaterThan(link ?? Infinity);
    });

    it('a language that is written from right to left keeps the direction of every value', () => {
      const isRtl = findDirection(language) === 'rtl';
      const bare = Object.values(messages).filter((text) => /(^|[^\u2068])\{\w+\}/.test(text));
      expect(bare.length > 0).toBe(!isRtl);
    });

    it('a language costs a payer at most 3.2 kB', () => {
      expect(gzipSync(JSON.stringify(messages), { level: 9 }).length).toBeLessThanOrEqual(3_200);
    });
  },
);

it('every locale has the sentences of a language, and British English those of English', () => {
  expect(LOCALES.map(findLanguage).filter((language) => !(language in allMessages))).toEqual([]);
  expect(findLanguage('en-GB')).toBe('en');
});

describe('a sentence', () => {
  it('a sentence is chosen by number', () => {
    const t = translator('en', english);
    expect(t.many('waiting', 1)).toMatch(/^1 share is/);
    expect(t.many('waiting', 2)).toMatch(/^2 shares are/);
  });

  it('a sentence has the plural form of its language, where the language states it, and otherwise the form for other numbers', () => {
    const polish = translator('pl', allMessages.pl);
    const wanted = (n: number): string => polish.many('takeAll', n, { amount: '' });
    expect([1, 2, 5, 22].map((n) => wanted(n).replace(/^.*? \d+ /, ''))).toEqual([
      'dostępną część: ',
      'dostępne części: ',
      'dostępnych części: ',
      'dostępne części: ',
    ]);
    const romanian = translator('ro', allMessages.ro);
    expect([1, 2, 20].map((n) => romanian.many('waiting', n))).toEqual([
      'Mai lipsește 1 parte.',
      'Mai lipsesc 2 părți.',
      'Mai lipsesc 20 de părți.',
    ]);
  });

  it('a sentence is filled in with its values', () => {
    expect(translator('en', english)('payTitle', { amount: '€10.00' })).toBe('Pay €10.00');
  });

  it('a sentence from right to left has its values between the signs that keep their direction', () => {
    const t = translator('ar', allMessages.ar);
    expect(t('payTo', { payee: 'Casa Lola!' })).toContain('\u2068Casa Lola!\u2069');
  });
});

describe('the minimum of a capture at the expiry', () => {
  const euros = { written_as: 'en-GB', currency: 'EUR', fraction_digits: 2, locale: 'en' } as const;

  it('an amount is written as the payer writes it, and other values stay to be filled in (Q90)', () => {
    const { promise, doneText } = writeMinimum({ ...euros, minimum: { amount_minor: '6050' } });
    expect(promise).toMatch(/the minimum is reached: €60\.50\.$/);
    expect(doneText).toContain('{amount}');
    expect(doneText).not.toContain('{minimum}');
  });

  it('a number of shares has the plural form of its language (Q90)', () => {
    const write = (locale: Language, slots: number) =>
      writeMinimum({ ...euros, locale, written_as: locale, minimum: { slots } }).promise;
    expect(write('en', 1)).toMatch(/: 1 share\.$/);
    expect(write('en', 3)).toMatch(/: 3 shares\.$/);
    expect([1, 3, 20].map((slots) => write('ro', slots)?.replace(/^.*: /, ''))).toEqual([
      '1 parte.',
      '3 părți.',
      '20 de părți.',
    ]);
  });
});

describe('the direction of a page', () => {
  it.each([
    ['en', 'ltr'],
    ['en-GB', 'ltr'],
    ['ar', 'rtl'],
    ['he', 'rtl'],
  ])('the page of the language %s runs %s', (language, direction) => {
    expect(findDirection(language)).toBe(direction);
  });
});
