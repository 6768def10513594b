import type { LogoChanged, Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';
import type { BrandLogo } from '../domain/brand.ts';

const upsert = statement(
  'checkout.upsert-logo',
  `insert into logos as l (merchant_id, mode, file, width, height, content, revision) values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (merchant_id, mode) do update
     set file = excluded.file, width = excluded.width, height = excluded.height, content = excluded.content,
       revision = excluded.revision
   where excluded.revision > l.revision`,
);
const find = statement<BrandLogo>(
  'checkout.find-logo',
  'select file, width, height from logos where merchant_id = $1 and mode = $2 and file is not null',
);
// Merchants with the same picture have the same name for it. Index: logos_by_file.
const findContent = statement<{ content: Buffer }>(
  'checkout.find-logo-content',
  'select content from logos where file = $1 limit 1',
);

/** Stores an announced logo, or that there is none any more; an older revision changes nothing. */
export async function upsertLogo(
  db: Queryable,
  { merchant_id, mode, logo, revision }: LogoChanged,
): Promise<void> {
  const { file = null, width = null, height = null } = logo ?? {};
  const content = logo && Buffer.from(logo.content, 'base64');
  await db.query(upsert, [merchant_id, mode, file, width, height, content, revision]);
}

/** Returns the merchant's logo in a mode, without its bytes. */
export async function findLogo(
  db: Queryable,
  { merchant_id, mode }: { merchant_id: string; mode: Mode },
): Promise<BrandLogo | undefined> {
  return (await db.query(find, [merchant_id, mode]))[0];
}

/** Returns the bytes of a logo that a merchant has now, by the name of its file. */
export async function findLogoContent(db: Queryable, file: string): Promise<Buffer | undefined> {
  return (await db.query(findContent, [file]))[0]?.content;
}
