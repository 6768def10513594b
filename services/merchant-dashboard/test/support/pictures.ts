/** Pictures as files have them, true in all that a reader without a decoder can see. */

const text = (value: string): Buffer => Buffer.from(value, 'latin1');
const u16 = (value: number): Buffer => Buffer.from([value >>> 8, value & 0xff]);

/** Returns metadata that ask for a picture to be shown as camera number `orientation` held it, with a place in words. */
export function exif(orientation: number): Buffer {
  const head = Buffer.from([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 1, 0]);
  const entry = Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
  return Buffer.concat([head, entry, Buffer.alloc(4), text('41.38N 2.17E')]);
}

/** Returns a segment of a JPEG with its length. */
export const segment = (marker: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(body.length + 2), body]);

export type JpegParts = {
  readonly width?: number;
  readonly height?: number;
  readonly frame?: number;
  readonly extra?: readonly Buffer[];
};

/** Returns a JPEG without a picture that could be seen. */
export function jpeg({ width = 64, height = 48, frame = 0xc0, extra = [] }: JpegParts = {}): Buffer {
  const start = Buffer.concat([Buffer.from([8]), u16(height), u16(width), Buffer.from([1, 1, 0x11, 0])]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.concat([text('JFIF\0'), Buffer.from([1, 1, 0, 0, 1, 0, 1, 0, 0])])),
    ...extra,
    segment(0xdb, Buffer.alloc(65)),
    segment(frame, start),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    // Pixels with a stuffed byte and a restart.
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Returns a chunk of a RIFF file with its length, filled up to an even one. */
export function riffChunk(name: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([text(name), length, data, Buffer.alloc(data.length % 2)]);
}

/** Returns a WebP file of these chunks. */
export function webp(chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat([text('WEBP'), ...chunks]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([text('RIFF'), length, body]);
}

/** Returns the chunk of a lossless picture. */
export function lossless(width: number, height: number): Buffer {
  const bits = Buffer.alloc(4);
  bits.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0);
  return riffChunk('VP8L', Buffer.concat([Buffer.from([0x2f]), bits, Buffer.alloc(7)]));
}

/** Returns the chunk of a lossy picture whose first part has `first` bytes. */
export function lossy(width: number, height: number, first = 4): Buffer {
  const tag = first << 5;
  const head = Buffer.from([tag & 0xff, (tag >>> 8) & 0xff, tag >>> 16, 0x9d, 0x01, 0x2a]);
  const size = Buffer.from([width & 0xff, width >>> 8, height & 0xff, height >>> 8]);
  return riffChunk('VP8 ', Buffer.concat([head, size, Buffer.alloc(4)]));
}

/** Returns the first chunk of an extended file. */
export function extended(width: number, height: number, flags: number): Buffer {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return riffChunk('VP8X', data);
}
