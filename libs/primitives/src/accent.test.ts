import fc from 'fast-check';
import { contrast, parseHex, makeReadable, type Rgb } from './contrast.ts';
import { accentProperties } from './accent.ts';

const part = fc.integer({ min: 0, max: 255 });
const colours = fc.tuple(part, part, part);
const read = (text: string): Rgb => parseHex(text)!;

describe("a merchant's accent colour", () => {
  it("a merchant's accent colour is corrected until it can be read, whatever it is", () => {
    fc.assert(
      fc.property(colours, colours, (colour, ground) => {
        // No colour has much contrast with a medium grey, but black or white always has enough.
        expect(contrast(makeReadable(colour, ground), ground)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it("a merchant's accent colour is kept where it can be read", () => {
    expect(makeReadable(read('#0b5d3b'), read('#ffffff'))).toEqual(read('#0b5d3b'));
  });

  it("a merchant's accent colour has readable text on it", () => {
    fc.assert(
      fc.property(colours, ([r, g, b]) => {
        const hex = `#${[r, g, b].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
        const all = accentProperties(hex);
        for (const scheme of ['light', 'dark'])
          expect(
            contrast(read(all[`--accent-${scheme}`]!), read(all[`--on-accent-${scheme}`]!)),
          ).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });

  it.each(['red', 'url(x)', '#12', '#12345g', 'var(--x)', '#fff;color:red', ''])(
    "a merchant's accent colour cannot smuggle in a style: %s",
    (wish) => expect(accentProperties(wish)).toEqual({}),
  );
});
