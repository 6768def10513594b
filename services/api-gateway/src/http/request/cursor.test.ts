import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sealWith } from '@gp/seal';
import type { Caller } from '../../app/callers/caller.ts';
import { listCursors } from './cursor.ts';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const seal = sealWith({ encryptionKey: key(1) });
const caller: Caller = { kind: 'secret_key', merchantId: 'm1', mode: 'test', principal: 'secret' };
type Place = { created_at: string; id: string };
const place = { created_at: '2026-01-02T03:04:05.678901Z', id: '0198c3f0-0000-7000-8000-00000000000a' };
const cursors = listCursors<Place>(seal, 'things');
const refusal = expect.objectContaining({
  code: 'validation_error',
  data: expect.objectContaining({ message: 'Validation error: cursor: is not a cursor of this list' }),
});

describe('a cursor', () => {
  it('a cursor returns its position, reveals nothing of it, and is short and safe in an address', () => {
    const cursor = cursors.after(caller, place);
    expect(cursors.read(caller, cursor)).toEqual(place);
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain(place.id);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(cursor.length).toBeLessThan(256);
  });

  it('a cursor of another list, merchant or mode is refused (S9)', () => {
    const cursor = cursors.after(caller, place);
    expect(() => cursors.read({ ...caller, merchantId: 'm2' }, cursor)).toThrow(refusal);
    expect(() => cursors.read({ ...caller, mode: 'live' }, cursor)).toThrow(refusal);
    expect(() => listCursors(seal, 'other').read(caller, cursor)).toThrow(refusal);
  });

  it('a cursor opens after a rotation of the key, and not when its key is gone', () => {
    const cursor = cursors.after(caller, place);
    const rotated = sealWith({ encryptionKey: key(2), previousEncryptionKeys: key(1) });
    expect(listCursors(rotated, 'things').read(caller, cursor)).toEqual(place);
    const foreign = sealWith({ encryptionKey: key(2) });
    expect(() => listCursors(foreign, 'things').read(caller, cursor)).toThrow(refusal);
  });

  it('a cursor that is forged or altered in any byte is refused, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (junk) => {
        expect(() => cursors.read(caller, junk)).toThrow(refusal);
      }),
    );
    const right = Buffer.from(cursors.after(caller, place), 'base64url');
    fc.assert(
      fc.property(fc.nat(right.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const altered = Buffer.from(right);
        altered[at] = altered.readUInt8(at) ^ flip;
        expect(() => cursors.read(caller, altered.toString('base64url'))).toThrow(refusal);
      }),
    );
  });
});
