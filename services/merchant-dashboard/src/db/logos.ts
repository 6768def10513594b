import type { Mode } from '@gp/contracts';
import { statement, type Queryable } from '@gp/pg';

export type LogoRow = { readonly file: string; readonly content: Buffer };

const save = statement(
  'dashboard.save-logo',
  `insert into logos (merchant_id, mode, file, content) values ($1, $2, $3, $4)
   on conflict (merchant_id, mode) do update
     set file = excluded.file, content = excluded.content, changed_at = clock_timestamp()`,
);
const remove = statement('dashboard.delete-logo', 'delete from logos where merchant_id = $1 and mode = $2');
const find = statement<{ file: string }>(
  'dashboard.find-logo',
  'select file from logos where merchant_id = $1 and mode = $2',
);
// A merchant has two logos at most.
const findContent = statement<{ content: Buffer }>(
  'dashboard.find-logo-content',
  'select content from logos where merchant_id = $1 and file = $2 limit 1',
);

/** Stores the logo of a merchant in a mode in place of the one before, or of null, removes that one. */
export async function saveLogo(
  tx: Queryable,
  { merchantId, mode }: { readonly merchantId: string; readonly mode: Mode },
  logo: LogoRow | null,
): Promise<void> {
  if (logo) await tx.query(save, [merchantId, mode, logo.file, logo.content]);
  else await tx.query(remove, [merchantId, mode]);
}

/** Returns the name of the file of a merchant's logo in a mode; null when there is none. */
export async function findLogo(db: Queryable, merchantId: string, mode: Mode): Promise<string | null> {
  return (await db.query(find, [merchantId, mode]))[0]?.file ?? null;
}

/** Returns the bytes of a merchant's logo that has this file name in one of the modes. */
export async function findLogoContent(
  db: Queryable,
  merchantId: string,
  file: string,
): Promise<Buffer | undefined> {
  return (await db.query(findContent, [merchantId, file]))[0]?.content;
}
