import { describe, expect, it } from '@jest/globals';
import { ALLOWED, isAbout } from './browsers/allowed.ts';
import { readBuiltFiles, type BuiltFile } from './browsers/built-files.ts';
import { walkFeatures } from './browsers/compat-data.ts';
import { listMissing, type Finding } from './browsers/judge.ts';
import { judgeScript } from './browsers/judge-script.ts';
import { judgeStyle } from './browsers/judge-style.ts';
import { AUDIENCES, findReleaseDate, listPromised, nameBrowser, type Audience } from './browsers/promise.ts';
import { NOT_PARSED, SYNTAX } from './browsers/syntax.ts';
import { readProjectFile } from './project-files.ts';

const judge = ({ name, kind, text }: BuiltFile, audience: Audience): readonly Finding[] =>
  kind === 'style' ? judgeStyle(name, text, audience) : judgeScript(name, text, audience);

/** Writes a finding as one line: file, feature, and browsers with the version that has it. */
const describeFinding = ({ file, feature, selector, missing }: Finding): string =>
  `${file} uses ${feature}${selector === undefined ? '' : ` in ${selector}`}, which is not in ${missing.join(', ')}`;

const found = new Map(
  await Promise.all(
    AUDIENCES.map(async (audience) => {
      const files = await readBuiltFiles(audience);
      return [audience, files.flatMap((file) => judge(file, audience))] as const;
    }),
  ),
);

describe.each(AUDIENCES)('what browsers load of the pages for %s', (audience) => {
  const findings = found.get(audience) ?? [];

  it('every file that browsers load uses nothing newer than the promised browsers of its pages (Q107)', () => {
    const tooNew = findings.filter((finding) => !ALLOWED[audience].some((each) => isAbout(each, finding)));
    expect(tooNew.map(describeFinding)).toEqual([]);
  });

  it('each exception from the promise of browsers is still needed', () => {
    const unused = ALLOWED[audience].filter((each) => !findings.some((finding) => isAbout(each, finding)));
    expect(unused).toEqual([]);
  });
});

describe('docs/browsers.md', () => {
  it('docs/browsers.md names the oldest promised version of each browser with its date, as the builds have it (Q107)', async () => {
    const text = (await readProjectFile('docs/browsers.md')).replaceAll(/ +/g, ' ');
    const [payers = [], merchants = []] = AUDIENCES.map(listPromised);
    const rows = payers.map((one, at) =>
      ['', ...[one, merchants[at]!].map((each) => `${nameBrowser(each)} (${findReleaseDate(each)})`), '']
        .join(' | ')
        .trim(),
    );
    expect(text.split('\n').filter((line) => /\(\d{4}-\d\d-\d\d\)/.test(line))).toEqual(rows);
  });
});

describe('the check of browsers', () => {
  it.each(AUDIENCES)(
    'the check knows all syntax that a promised browser has not: pages for %s',
    (audience) => {
      const groups = ['statements', 'classes', 'operators', 'grammar', 'functions', 'regular_expressions'];
      const unknown: string[] = [];
      for (const group of groups)
        walkFeatures(`javascript.${group}`, ({ path, compat }) => {
          if (listMissing(compat, audience).length === 0) return;
          if (![...Object.keys(SYNTAX), ...NOT_PARSED].some((known) => isSameOrBelow(path, known)))
            unknown.push(path);
        });
      expect(unknown).toEqual([]);
    },
  );

  it.each([
    ['using file = open();', 'javascript.statements.using', 'Chrome 95 (since 134)'],
    [
      'class A { static { run(); } }',
      'javascript.classes.static.initialization_blocks',
      'Safari 15.4 (since 16.4)',
    ],
    ['/[a--b]/v.test(text);', 'javascript.builtins.RegExp.unicodeSets', 'Chrome 95 (since 112)'],
    [
      '/(?<!a)b/.test(text);',
      'javascript.regular_expressions.lookbehind_assertion',
      'Safari 15.4 (since 16.4)',
    ],
    ['/(?i:a)b/.test(text);', 'javascript.regular_expressions.modifier', 'Chrome 95 (since 125)'],
    ['Object.groupBy(all, by);', 'javascript.builtins.Object.groupBy', 'Chrome 95 (since 117)'],
    ['f(list).toSorted();', 'javascript.builtins.Array.toSorted', 'Chrome 95 (since 110)'],
    ['text.toWellFormed();', 'javascript.builtins.String.toWellFormed', 'Chrome 95 (since 111)'],
    [
      'const { promise } = Promise.withResolvers();',
      'javascript.builtins.Promise.withResolvers',
      'Chrome 95 (since 119)',
    ],
    ['new Intl.DurationFormat();', 'javascript.builtins.Intl.DurationFormat', 'Chrome 95 (since 129)'],
    ['const copy = structuredClone(value);', 'api.structuredClone', 'Chrome 95 (since 98)'],
    ['AbortSignal.any([a, b]);', 'api.AbortSignal.any_static', 'Chrome 95 (since 116)'],
    ['window.addEventListener("scrollend", f);', 'api.Document.scrollend_event', 'Chrome 95 (since 114)'],
  ])('a script that has %s is found: %s, %s', (code, feature, missing) => {
    const findings = judgeScript('planted.js', code, 'payers');
    expect(findings.map((each) => each.feature)).toEqual([feature]);
    expect(describeFinding(findings[0]!)).toContain(`planted.js uses ${feature}, which is not in ${missing}`);
  });

  it.each([
    ['a { color: color-mix(in srgb, red, blue) }', 'css.types.color.color-mix'],
    ['a { color: light-dark(red, blue) }', 'css.types.color.light-dark'],
    ['a { height: 100dvh }', 'css.types.length.viewport_percentage_units_dynamic'],
    ['a:has(b) { color: red }', 'css.selectors.has'],
    ['a { & b { color: red } }', 'css.selectors.nesting'],
    ['a { b { color: red } }', 'css.selectors.nesting'],
    ['a { text-wrap: balance }', 'css.properties.text-wrap'],
    ['@layer base { a { color: red } }', 'css.at-rules.layer'],
    ['@container (width > 9rem) { a { color: red } }', 'css.at-rules.container'],
    ['@media (width > 9rem) { a { color: red } }', 'css.at-rules.media.range_syntax'],
    ['@media (scripting: none) { a { color: red } }', 'css.at-rules.media.scripting'],
  ])('a style sheet that has %s is found: %s', (css, feature) => {
    const findings = judgeStyle('planted.css', css, 'payers');
    expect(findings.map((each) => each.feature)).toContain(feature);
    expect(describeFinding(findings[0]!)).toMatch(
      /^planted\.css uses css\..* is not in Chrome 95 \(since \d+\)/,
    );
  });

  it('a style sheet may use what is newer than the promise where it asks for it with @supports', () => {
    const css = '@supports (color: light-dark(red, red)) { a { color: light-dark(red, blue) } }';
    expect(judgeStyle('planted.css', css, 'payers')).toEqual([]);
  });

  it('a script that cannot be parsed is found', () => {
    const [finding] = judgeScript('planted.js', 'const a = ;', 'payers');
    expect(finding?.feature).toMatch(/^syntax: Unexpected token/);
  });

  it('a script of the promised browsers passes', () => {
    const code =
      'const at = [1].at(-1) ?? 2; export const own = Object.hasOwn({ at }, "at"); await fetch("/");';
    expect(judgeScript('planted.js', code, 'payers')).toEqual([]);
  });
});

const isSameOrBelow = (path: string, known: string): boolean =>
  path === known || path.startsWith(`${known}.`);
