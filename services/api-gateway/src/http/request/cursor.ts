import { validationError } from '@gp/errors';
import type { Seal } from '@gp/seal';
import type { Caller } from '../../app/callers/caller.ts';

/** A key is named by the first 48 bits of its fingerprint. */
const KEY_ID_BYTES = 6;

/** The cursors of one list: opaque texts for positions in it. */
export type ListCursors<Position> = {
  /** Returns the cursor with which this caller gets the items after `position`. */
  after(caller: Caller, position: Position): string;
  /** Returns the position of a cursor; throws `validation_error` for one that is not this caller's and list's. */
  read(caller: Caller, cursor: string): Position;
};

/**
 * Makes the cursors of the list called `list`. They are sealed and bound to the list, the merchant and the mode: a
 * forged cursor, or one of another list, merchant or mode, does not open, so every position is one that we issued.
 * They never expire. A list whose positions change their shape takes another name.
 */
export function listCursors<Position>(seal: Seal, list: string): ListCursors<Position> {
  const bound = ({ merchantId, mode }: Caller) => JSON.stringify(['cursor', list, mode, merchantId]);
  return {
    after(caller, position) {
      const { keyId, bytes } = seal.seal(JSON.stringify(position), bound(caller));
      return Buffer.concat([Buffer.from(keyId, 'hex'), bytes]).toString('base64url');
    },
    read(caller, cursor) {
      const raw = Buffer.from(cursor, 'base64url');
      const keyId = raw.toString('hex', 0, KEY_ID_BYTES);
      try {
        return JSON.parse(seal.open({ keyId, bytes: raw.subarray(KEY_ID_BYTES) }, bound(caller))) as Position;
      } catch {
        throw validationError('cursor', 'is not a cursor of this list');
      }
    },
  };
}
