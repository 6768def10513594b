import { describe, expect, it } from '@jest/globals';
import { drawPng, pngChunk } from '@gp/testing';
import { readLogo } from '../src/domain/logo/logo.ts';
import { isFault } from '../src/domain/logo/picture.ts';
import { exif, extended, jpeg, lossless, lossy, riffChunk, segment, webp } from './support/pictures.ts';

const PNG = 'image/png';
const JPEG = 'image/jpeg';
const WEBP = 'image/webp';
const PLACE = '41.38N';
const text = (value: string) => Buffer.from(value, 'latin1');
const app1 = (body: Buffer) => segment(0xe1, Buffer.concat([text('Exif\0\0'), body]));

/** Returns the picture as it is kept. */
function keep(bytes: Buffer, type: string) {
  const read = readLogo(bytes, type);
  if (isFault(read)) throw new Error(read.fault);
  return { ...read, content: Buffer.from(read.content) };
}
const refuse = (bytes: Buffer, type: string) => {
  const read = readLogo(bytes, type);
  return isFault(read) ? read.fault : 'was taken';
};

describe('a logo that is taken', () => {
  it.each([
    [PNG, drawPng({ width: 32, height: 16 }), 32, 16],
    [JPEG, jpeg({ width: 64, height: 48 }), 64, 48],
    [JPEG, jpeg({ width: 1024, height: 16, frame: 0xc2 }), 1024, 16],
    [WEBP, webp([lossless(300, 200)]), 300, 200],
    [WEBP, webp([lossy(16, 1024)]), 16, 1024],
    [WEBP, webp([extended(40, 30, 0x10), riffChunk('ALPH', text('a')), lossy(40, 30)]), 40, 30],
  ])('a logo that is a %s has the size that its bytes say (case %#)', (type, bytes, width, height) => {
    const kept = keep(bytes, type);
    expect(kept).toMatchObject({ type, width, height });
    expect(kept.content.equals(bytes)).toBe(true);
  });

  it('metadata such as the place of a photo are removed from a logo, and its colour profile is kept (Q76)', () => {
    const profile = riffChunk('ICCP', text('profile'));
    const cases = [
      [
        PNG,
        drawPng({ chunks: [pngChunk('iCCP', text('p\0\0x')), pngChunk('eXIf', exif(1))] }),
        drawPng({ chunks: [pngChunk('iCCP', text('p\0\0x'))] }),
      ],
      [PNG, drawPng({ chunks: [pngChunk('tEXt', text(`Comment\0${PLACE}`))] }), drawPng()],
      [
        JPEG,
        jpeg({
          extra: [app1(exif(1)), segment(0xfe, text(PLACE)), segment(0xe2, text('ICC_PROFILE\x00\x01\x01'))],
        }),
        jpeg({ extra: [segment(0xe2, text('ICC_PROFILE\x00\x01\x01'))] }),
      ],
      [JPEG, jpeg({ extra: [segment(0xe1, text(`http://ns.adobe.com/xap/1.0/\0${PLACE}`))] }), jpeg()],
      [
        WEBP,
        webp([
          extended(40, 30, 0x2c),
          profile,
          lossy(40, 30),
          riffChunk('EXIF', exif(1)),
          riffChunk('XMP ', text(PLACE)),
        ]),
        webp([extended(40, 30, 0x20), profile, lossy(40, 30)]),
      ],
    ] as const;
    for (const [type, bytes, expected] of cases) {
      const { content } = keep(bytes, type);
      expect(bytes.includes(PLACE)).toBe(true);
      expect(content.includes(PLACE)).toBe(false);
      expect(content.toString('hex')).toBe(expected.toString('hex'));
    }
  });
});

describe('a logo that is refused', () => {
  it.each([
    [
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'an SVG may contain programs',
    ],
    ['\ufeff<?xml version="1.0"?><svg/>', 'an SVG may contain programs'],
    ['GIF89a\x01\x00', 'this is a GIF'],
    ['<html><img src=x>', 'must be a PNG, JPEG or WebP picture'],
    ['%PDF-1.7', 'must be a PNG, JPEG or WebP picture'],
    ['', 'must be a PNG, JPEG or WebP picture'],
  ])(
    'a logo that begins with %j is refused with the reason, whatever type the request says (Q76)',
    (start, reason) => {
      for (const type of [PNG, 'image/svg+xml', ''])
        expect(refuse(Buffer.from(start), type)).toContain(reason);
    },
  );

  it('a logo whose bytes are of another type than the request says is refused (Q76)', () => {
    expect(refuse(drawPng(), JPEG)).toContain('is a PNG that was sent as something else');
    expect(refuse(jpeg(), WEBP)).toContain('is a JPEG');
    expect(refuse(webp([lossless(40, 40)]), PNG)).toContain('is a WebP');
  });

  it.each([
    [15, 64],
    [64, 15],
    [1025, 64],
    [64, 1025],
  ])('a logo of %i × %i pixels is refused with a message that names its size (Q76)', (width, height) => {
    const size = `this is ${width} × ${height}`;
    expect(refuse(drawPng({ width, height }), PNG)).toContain(size);
    expect(refuse(jpeg({ width, height }), JPEG)).toContain(size);
    expect(refuse(webp([lossless(width, height)]), WEBP)).toContain(size);
    expect(refuse(webp([lossy(width, height)]), WEBP)).toContain(size);
  });

  it('a logo whose header states a huge size, or a size of zero, is refused (Q76)', () => {
    const raw = Buffer.alloc(10);
    for (const [width, height] of [
      [0xffffffff, 0xffffffff],
      [0, 0],
      [2_000_000_000, 32],
    ] as const)
      expect(refuse(drawPng({ width, height, raw }), PNG)).toContain('must be 16 to 1024 pixels');
    expect(refuse(jpeg({ width: 0, height: 65_535 }), JPEG)).toContain('must be 16 to 1024 pixels');
    expect(refuse(webp([lossless(16_384, 16_384)]), WEBP)).toContain('must be 16 to 1024 pixels');
  });

  it('a logo that is larger than 64 kB is refused (Q76)', () => {
    const most = drawPng({ chunks: [pngChunk('tEXt', Buffer.alloc(65_536 - drawPng().length - 12))] });
    expect(most.length).toBe(65_536);
    expect(keep(most, PNG).width).toBe(32);
    const larger = drawPng({ chunks: [pngChunk('tEXt', Buffer.alloc(65_537 - drawPng().length - 12))] });
    expect(refuse(larger, PNG)).toBe('must be at most 64 kB');
  });

  it('an animated logo is refused (Q76)', () => {
    expect(refuse(drawPng({ chunks: [pngChunk('acTL', Buffer.alloc(8))] }), PNG)).toContain('animated');
    expect(refuse(webp([extended(40, 30, 0x02), lossy(40, 30)]), WEBP)).toContain('animated');
    const frames = [riffChunk('ANIM', Buffer.alloc(6)), riffChunk('ANMF', Buffer.alloc(16))];
    expect(refuse(webp([extended(40, 30, 0), ...frames]), WEBP)).toContain('animated');
  });

  it('a logo whose metadata ask for it to be turned is refused, because it is stored without metadata (Q76)', () => {
    const named = Buffer.concat([text('Exif\0\0'), exif(6)]);
    expect(refuse(drawPng({ chunks: [pngChunk('eXIf', exif(3))] }), PNG)).toContain('turned');
    expect(refuse(jpeg({ extra: [app1(exif(6))] }), JPEG)).toContain('turned');
    for (const data of [exif(8), named])
      expect(refuse(webp([extended(40, 30, 8), lossy(40, 30), riffChunk('EXIF', data)]), WEBP)).toContain(
        'turned',
      );
  });

  it('a logo that is also a valid file of another type is refused (Q76)', () => {
    const script = Buffer.from('<script>alert(1)</script>PK\x03\x04');
    expect(refuse(Buffer.concat([drawPng(), script]), PNG)).toContain('other data after the picture');
    expect(refuse(Buffer.concat([jpeg(), script]), JPEG)).toContain('other data after the picture');
    expect(refuse(Buffer.concat([webp([lossless(40, 40)]), script]), WEBP)).toContain('other data');
    expect(refuse(Buffer.concat([jpeg(), jpeg()]), JPEG)).toContain('other data after the picture');
  });

  it.each([
    ['two headers', PNG, drawPng({ chunks: [pngChunk('IHDR', Buffer.alloc(13))] })],
    ['a wrong checksum', PNG, drawPng().fill(1, 30, 31)],
    ['a frame twice', JPEG, jpeg({ extra: [segment(0xc0, Buffer.alloc(9))] })],
    ['no frame', JPEG, jpeg({ frame: 0xdb })],
    ['a kind of frame that no browser knows', JPEG, jpeg({ frame: 0xc9 })],
    ['two pictures', WEBP, webp([lossless(40, 40), lossless(40, 40)])],
    ['no picture', WEBP, webp([])],
    ['a canvas of another size', WEBP, webp([extended(41, 30, 0), lossy(40, 30)])],
    ['a first part that is longer than the file', WEBP, webp([lossy(40, 30, 400)])],
    ['a chunk that is longer than the file', WEBP, webp([text('VP8L\xff\xff\xff\x7f')])],
  ])('a logo with %s is refused as damaged (Q76)', (_, type, bytes) => {
    expect(refuse(bytes, type)).toMatch(/damaged|browsers do not show/);
  });

  it('a logo that is cut at any byte is refused, and a changed byte never causes an internal error (Q76)', () => {
    const whole = [
      [PNG, drawPng({ chunks: [pngChunk('eXIf', exif(1))] })],
      [JPEG, jpeg({ extra: [app1(exif(1))] })],
      [WEBP, webp([extended(40, 30, 8), lossy(40, 30), riffChunk('EXIF', exif(1))])],
    ] as const;
    for (const [type, bytes] of whole)
      for (let at = 0; at < bytes.length; at++) {
        expect([at, refuse(bytes.subarray(0, at), type)]).not.toEqual([at, 'was taken']);
        for (const wrong of [0x00, 0x7f, 0xff]) {
          const spoilt = Buffer.from(bytes);
          spoilt[at] = wrong;
          expect(typeof refuse(spoilt, type)).toBe('string');
        }
      }
  });
});
