import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contrast, parseHex, type Rgb } from '@gp/primitives';
import fc from 'fast-check';
import { buildPalette, findScheme, MARKS, TINTS, type BaseColors } from './palette.ts';

const readSheet = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');

/** Returns the properties of a rule, those in `var(…)` with what stands in their place. */
function readRule(sheet: string, selector: string): Record<string, string> {
  const start = sheet.indexOf(`${selector} {`);
  expect(start).toBeGreaterThanOrEqual(0);
  const rule = sheet.slice(start, sheet.indexOf('}', start));
  const properties = [...rule.matchAll(/--([\w-]+): (?:var\([^,]+, )?(.*?)\)?;/g)];
  return Object.fromEntries(properties.map(([, name = '', value = '']) => [name, value]));
}

const base = readSheet('base.css');
const light = readRule(base, ':root');
const dark = readRule(base, ":root:not([data-scheme='light'])");
const schemes = { light, dark } as unknown as Record<'light' | 'dark', BaseColors>;

const part = fc.integer({ min: 0, max: 255 });
const colors = fc.tuple(part, part, part);
const toText = (rgb: Rgb): string => `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
const read = (text: string | undefined): Rgb =>
  parseHex(text ?? '') ?? (expect(text).toBe('a colour') as never);

describe('a background that the widget’s page chose', () => {
  it('a background that the widget’s page chose keeps every text readable on every ground, whatever the accent (Q104)', () => {
    fc.assert(
      fc.property(colors, colors, (background, accent) => {
        const own = { ...schemes[findScheme(background)], accent: toText(accent) };
        const palette = buildPalette(background, own);
        const tints = TINTS.map((name) => own[name]);
        const grounds = [palette['--paper'], palette['--surface'], palette['--field'], ...tints];
        for (const ground of grounds)
          for (const name of MARKS)
            expect(contrast(read(palette[`--${name}`]), read(ground))).toBeGreaterThanOrEqual(4.5);
        expect(contrast(read(palette['--on-accent']), read(palette['--accent']))).toBeGreaterThanOrEqual(4.5);
      }),
      {
        numRuns: 500,
        examples: [
          [
            [117, 117, 117],
            [0, 0, 0],
          ],
          [
            [119, 119, 119],
            [119, 119, 119],
          ],
        ],
      },
    );
  });

  it('a background that the widget’s page chose is the page’s own, and keeps the texts that can be read on it (Q104)', () => {
    const palette = buildPalette([255, 255, 255], schemes.light);
    expect(palette['--paper']).toBe('#ffffff');
    expect(palette['--ink']).toBe(light['ink']);
    expect(findScheme([0, 0, 128])).toBe('dark');
    expect(buildPalette([0, 0, 128], schemes.dark)['--ink']).toBe(dark['ink']);
  });
});

it('a dark form has the same colours whether its page or the payer’s device chose them (Q104)', () => {
  const chosen = readRule(readSheet('../embed/embed.css'), ":root[data-scheme='dark']");
  expect(Object.keys(dark).length).toBeGreaterThan(10);
  expect(chosen).toEqual(dark);
});
