import { signingKeysChanged, SESSION_TOKEN, type Mode, type Operator } from '@gp/contracts';
import { insertOutbox, recordAction } from '@gp/outbox';
import type { Queryable } from '@gp/pg';
import type { Seal } from '@gp/seal';
import type { Loop } from '@gp/service';
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from '@gp/bundled/jose';
import { uuidv7 } from 'uuidv7';
import * as rows from '../db/signing-keys.ts';
import { planRotation, type KeyAge, type Rotation, type RotationPolicy } from '../domain/key-rotation.ts';
import { committed } from '../fail-points.ts';
import type { SessionParts } from './ports.ts';

const MODES = ['test', 'live'] as const;
const LOOK_EVERY_MS = 60_000;

/**
 * Keeps signing keys for each mode: creates the first, publishes the next ahead of its time, deletes those whose
 * tokens have all ended. Any number of replicas may try; one at a time decides, by the database's clock.
 */
export function rotateSigningKeys(parts: SessionParts, policy: RotationPolicy): Loop {
  return {
    name: 'rotate-signing-keys',
    idleMs: LOOK_EVERY_MS,
    async runOnce() {
      for (const mode of MODES) await rotate(parts, mode, policy);
      return 'idle';
    },
  };
}

const rotate = (parts: SessionParts, mode: Mode, policy: RotationPolicy): Promise<unknown> =>
  changeKeys(parts, mode, (keys, nowMs) => planRotation(keys, nowMs, policy));

/** Creates the first key of a mode for a caller that cannot wait for the loop; keeps an existing one. */
export async function makeFirstKey(parts: SessionParts, mode: Mode): Promise<void> {
  await changeKeys(parts, mode, (keys, nowMs) => ({
    ...(keys.length === 0 && { addFromMs: nowMs }),
    remove: [],
  }));
}

/** Replaces the keys of a mode by a new one, at once: every live token of the mode is refused from then on. */
export function replaceSigningKeys(
  parts: SessionParts,
): (o: { mode: Mode }, actor: Operator) => Promise<{ kid: string }> {
  return async ({ mode }, actor) => {
    await recordAction(parts.db, { actor, action: 'signing-keys.replace', subject: mode });
    const kid = await changeKeys(parts, mode, (keys, nowMs) => ({
      addFromMs: nowMs,
      remove: keys.map((older) => older.kid),
    }));
    if (kid === undefined) throw new Error('a replacement without a new key');
    return { kid };
  };
}

/** Applies the plan for a mode's keys, one plan at a time, and announces the change; returns the new key. */
async function changeKeys(
  parts: SessionParts,
  mode: Mode,
  plan: (keys: readonly KeyAge[], nowMs: number) => Rotation,
): Promise<string | undefined> {
  const { isChanged, kid } = await committed(parts.db, 'signing-key', async (tx) => {
    await rows.lockSigningKeys(tx, mode);
    const { keys, nowMs } = await rows.listKeyAges(tx, mode);
    const { addFromMs, remove } = plan(keys, nowMs);
    if (addFromMs === undefined && remove.length === 0) return { isChanged: false };
    const key = addFromMs === undefined ? undefined : await newKey(parts.seal, mode, addFromMs);
    if (key) await rows.insertSigningKey(tx, key);
    await rows.deleteSigningKeys(tx, mode, remove);
    await publishChange(tx, mode);
    return { isChanged: true, kid: key?.kid };
  });
  if (isChanged) parts.wakeRelay();
  return kid;
}

/** The id of a key is its thumbprint (RFC 7638), prefixed with the mode for people who read a token. */
async function newKey(seal: Seal, mode: Mode, signsFromMs: number): Promise<rows.SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(SESSION_TOKEN.alg, { extractable: true });
  const { x } = await exportJWK(publicKey);
  if (x === undefined) throw new Error('an Ed25519 key without its point');
  const kid = `${mode}_${(await calculateJwkThumbprint(publicKey)).slice(0, 22)}`;
  const sealed = seal.seal(JSON.stringify(await exportJWK(privateKey)), kid);
  return { kid, mode, x, sealed, signsFromMs };
}

async function publishChange(tx: Queryable, mode: Mode): Promise<void> {
  const subject = `${signingKeysChanged.subject}.${mode}`;
  await insertOutbox(tx, [
    { id: uuidv7(), subject, groupKey: `signing-keys-${mode}`, mode, payload: { mode } },
  ]);
}
