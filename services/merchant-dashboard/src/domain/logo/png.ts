import { isTurned } from './exif.ts';
import {
  ANIMATED,
  DAMAGED,
  FOLLOWED,
  TURNED,
  join,
  readText,
  viewOf,
  type Fault,
  type Picture,
} from './picture.ts';

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** Chunks that say how pixels look; every other one is removed. */
const KEPT = new Set([
  'IHDR',
  'PLTE',
  'tRNS',
  'cHRM',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'cICP',
  'pHYs',
  'IDAT',
  'IEND',
]);
/** Length, name and checksum. */
const AROUND = 12;

type Chunk = { readonly name: string; readonly data: Uint8Array; readonly whole: Uint8Array };

export const isPng = (bytes: Uint8Array): boolean => SIGNATURE.every((byte, at) => bytes[at] === byte);

/** Reads a PNG chunk by chunk, each against its checksum. */
export function readPng(bytes: Uint8Array): Picture | Fault {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; chunks.at(-1)?.name !== 'IEND';) {
    const chunk = readChunk(bytes, at);
    if (!chunk) return DAMAGED;
    chunks.push(chunk);
    at += chunk.whole.length;
  }
  const kept = [bytes.subarray(0, SIGNATURE.length), ...chunks.filter(isKept).map(({ whole }) => whole)];
  const length = SIGNATURE.length + chunks.reduce((sum, { whole }) => sum + whole.length, 0);
  if (length !== bytes.length) return FOLLOWED;
  if (chunks.some(({ name }) => name === 'acTL' || name === 'fdAT')) return ANIMATED;
  if (chunks.some(({ name, data }) => name === 'eXIf' && isTurned(data))) return TURNED;
  const shape = readHeader(chunks);
  const packed = join(chunks.filter(({ name }) => name === 'IDAT').map(({ data }) => data));
  if (!shape || packed.length === 0) return DAMAGED;
  const { width, height, unpackedBytes } = shape;
  return { width, height, content: join(kept), pixels: { packed, unpackedBytes } };
}

const isKept = ({ name }: Chunk): boolean => KEPT.has(name);

function readChunk(bytes: Uint8Array, at: number): Chunk | undefined {
  if (at + AROUND > bytes.length) return undefined;
  const view = viewOf(bytes);
  const length = view.getUint32(at);
  const end = at + AROUND + length;
  if (end > bytes.length) return undefined;
  if (view.getUint32(end - 4) !== checksum(bytes.subarray(at + 4, end - 4))) return undefined;
  const data = bytes.subarray(at + 8, end - 4);
  return { name: readText(bytes, at + 4, 4), data, whole: bytes.subarray(at, end) };
}

/** Samples of a pixel by colour type, with the depths that the format allows. */
const COLORS: ReadonlyMap<number, { readonly samples: number; readonly depths: readonly number[] }> = new Map(
  [
    [0, { samples: 1, depths: [1, 2, 4, 8, 16] }],
    [2, { samples: 3, depths: [8, 16] }],
    [3, { samples: 1, depths: [1, 2, 4, 8] }],
    [4, { samples: 2, depths: [8, 16] }],
    [6, { samples: 4, depths: [8, 16] }],
  ],
);
/** The seven passes of an interlaced picture: first column and row, and the steps between them. */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function readHeader(
  chunks: readonly Chunk[],
): { width: number; height: number; unpackedBytes: number } | undefined {
  const headers = chunks.filter(({ name }) => name === 'IHDR');
  const data = headers[0]?.data;
  if (headers.length !== 1 || chunks[0]?.name !== 'IHDR' || data?.length !== 13) return undefined;
  const view = viewOf(data);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth = 0, color = 0, compression, filter, interlace = 0] = data.subarray(8);
  const { samples, depths } = COLORS.get(color) ?? { samples: 0, depths: [] };
  if (!depths.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) return undefined;
  // The colours of an indexed picture.
  if (color === 3 && !chunks.some(({ name }) => name === 'PLTE')) return undefined;
  const passes = interlace === 1 ? PASSES : ([[0, 0, 1, 1]] as const);
  const unpackedBytes = passes.reduce((sum, [left, top, right, down]) => {
    const columns = Math.ceil((width - left) / right);
    const rows = Math.ceil((height - top) / down);
    // A byte before each row names its filter.
    return columns > 0 && rows > 0 ? sum + rows * (1 + Math.ceil((columns * samples * depth) / 8)) : sum;
  }, 0);
  return { width, height, unpackedBytes };
}

const TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** CRC-32, as chunks carry it. */
function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (TABLE[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
