import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { findLogoEnding, findLogoType, type LogoType, type Mode } from '@gp/contracts';
import { validationError } from '@gp/errors';
import type { Queryable } from '@gp/pg';
import { insertAudit } from '../../db/audit.ts';
import { findLogoContent, saveLogo } from '../../db/logos.ts';
import { nextRevision } from '../../db/revisions.ts';
import { readLogo, type Logo } from '../../domain/logo/logo.ts';
import { DAMAGED, isFault } from '../../domain/logo/picture.ts';
import { committed } from '../../fail-points.ts';
import { countTry } from '../account/tries.ts';
import type { Actor, DashboardParts } from '../ports.ts';
import { publishLogo } from './publish-changes.ts';

/** A picture as a member sends it: its bytes in base64, and what kind it is said to be. */
export type SentLogo = { readonly media_type: string; readonly content: string };

/** Uploads of one merchant: each is kept in the outbox and on the bus for two weeks. */
const HOURLY = { most: 60, seconds: 60 * 60 };
const HASH_CHARACTERS = 40;

/**
 * Sets the logo of a merchant's checkout page in a mode, or of null, removes it, and returns the name of its file; checkout has
 * it within a second, and pages that are open keep theirs. What is not needed to show the picture is left out. Rejects with
 * `validation_error` for anything that is no picture of the allowed kinds and sizes, and with `rate_limited` after too many.
 */
export function setLogo(
  parts: DashboardParts,
): (actor: Actor, o: { mode: Mode; logo: SentLogo | null }) => Promise<string | null> {
  return async (actor, { mode, logo: sent }) => {
    const { merchantId } = actor;
    if (sent) await countTry(parts.db, { what: 'logo', of: merchantId, limit: HOURLY });
    const logo = sent && (await admitLogo(sent));
    await committed(parts.db, 'settings', async (tx) => {
      const revision = await nextRevision(tx, merchantId, mode);
      await saveLogo(tx, { merchantId, mode }, logo);
      const announced = logo && { ...logo, content: logo.content.toString('base64') };
      await publishLogo(tx, { merchant_id: merchantId, mode, logo: announced, revision });
      await insertAudit(tx, actor, 'logo.changed', { mode, logo: logo?.file ?? null });
    });
    parts.wakeRelay();
    return logo?.file ?? null;
  };
}

/** Returns a merchant's logo by the name of its file; undefined for every other name. */
export async function findLogoFile(
  db: Queryable,
  merchantId: string,
  file: string,
): Promise<{ readonly type: LogoType; readonly content: Buffer } | undefined> {
  const type = findLogoType(file);
  const content = type && (await findLogoContent(db, merchantId, file));
  return content && { type, content };
}

async function admitLogo({ media_type, content: base64 }: SentLogo) {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw validationError('logo', 'must be in base64');
  const read = readLogo(bytes, media_type);
  if (isFault(read)) throw validationError('logo', read.fault);
  if (!(await isComplete(read))) throw validationError('logo', DAMAGED.fault);
  const { width, height } = read;
  const content = Buffer.from(read.content);
  return { file: nameFile(read, content), width, height, content };
}

function nameFile({ type }: Logo, content: Buffer): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_CHARACTERS);
  return `${hash}.${findLogoEnding(type)}`;
}

const unpack = promisify(inflate);

/** Decompresses the pixels up to as many as the picture has: it may not have fewer, nor grow without an end. */
async function isComplete({ pixels }: Logo): Promise<boolean> {
  if (!pixels) return true;
  const { packed, unpackedBytes } = pixels;
  const unpacked = unpack(packed, { maxOutputLength: unpackedBytes });
  return unpacked.then(
    ({ length }) => length === unpackedBytes,
    () => false,
  );
}
