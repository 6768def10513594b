import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { root } from '../../support/stack.ts';

/** Tables with what the ledger keeps of one group, the group's own first. */
export const GROUP_TABLES = [
  'groups',
  'slots',
  'intents',
  'attempts',
  'orders',
  'postings',
  'transitions',
  'events',
] as const;

/** The rows of one group as JSON, in which ids tell a copy from another. */
export type Template = {
  readonly rows: readonly { readonly table: string; readonly json: string }[];
  /** Ids that all copies have in common: the merchant and the payers. */
  readonly shared: ReadonlySet<string>;
};

const ID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

/** Returns the text with the ids of a copy in place of the template's: they begin with the copy's number, of eight digits. */
export function toCopy(text: string, copy: number, shared: ReadonlySet<string>): string {
  return splitByIds(text, shared)
    .map((part) => (part.isId ? `${copy}${part.text.slice(8)}` : part.text))
    .join('');
}

/**
 * The same as SQL for any copy, whose number is the text `copy`. Colons are escaped, since pgbench takes a word behind
 * one for a variable.
 */
export function toCopySql(text: string, copy: string, shared: ReadonlySet<string>): string {
  const parts = splitByIds(text, shared).map((part) =>
    part.isId ? `${copy} || ${quote(part.text.slice(8))}` : quote(part.text),
  );
  return parts.length === 0 ? `''` : `(${parts.join(' || ')})`;
}

function splitByIds(text: string, shared: ReadonlySet<string>): { text: string; isId: boolean }[] {
  return text
    .split(ID)
    .map((part, index) => ({ text: part, isId: index % 2 === 1 && !shared.has(part) }))
    .filter((part) => part.text !== '');
}

function quote(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a');
  return `e'${escaped}'`;
}

/** Reads a group. Texts that have to be unique become ids, which are unique to a copy. */
export async function readTemplate(databaseUrl: string, groupId: string): Promise<Template> {
  return withClient(databaseUrl, async (client) => {
    const rows: { table: string; json: string }[] = [];
    const shared = new Set<string>();
    for (const table of GROUP_TABLES) {
      const key = table === 'groups' ? 'id' : 'group_id';
      const found = await client.query<{ row: Record<string, unknown> }>(
        `select to_jsonb(t) as row from group_ledger.${table} t where ${key} = $1`,
        [groupId],
      );
      for (const { row } of found.rows) {
        for (const name of ['merchant_id', 'customer_id', 'assigned_customer_id'])
          if (typeof row[name] === 'string') shared.add(row[name]);
        const own = table === 'groups' ? { page_token: groupId, merchant_order_id: groupId } : {};
        rows.push({ table, json: JSON.stringify({ ...row, ...own }) });
      }
    }
    return { rows, shared };
  });
}

/** Writes so many copies of a group, from number `first` on. Only a measure may do this: no service knows. */
export async function writeCopies(
  databaseUrl: string,
  { rows, shared }: Template,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    // References are not checked, and nobody waits for a commit of what is only a load.
    await client.query('set session_replication_role = replica; set synchronous_commit = off');
    for (const { table, json } of rows)
      await client.query(
        `insert into group_ledger.${table} select (jsonb_populate_record(null::group_ledger.${table}, ${toCopySql(json, 'n::text', shared)}::jsonb)).*
         from generate_series($1::bigint, $2::bigint) as n`,
        [first, first + count - 1],
      );
    for (const table of GROUP_TABLES) await client.query(`vacuum analyze group_ledger.${table}`);
  });
}

/** Returns how many copies have this version of the group. */
export async function countCopies(databaseUrl: string, groupId: string, version: bigint): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `select count(*) from group_ledger.groups where page_token like '________' || $1 and page_token <> $2 and version = $3`,
      [groupId.slice(8), groupId, version],
    );
    return Number(rows[0]?.count);
  });
}

/** The ledger's statement that saves a decision, for copy `copy` of the group whose decision had these parameters. */
export function saveAsText(
  parameters: readonly (string | null)[],
  copy: string,
  shared: ReadonlySet<string>,
): string {
  const text = readFileSync(join(root, 'services/group-ledger/statements/save-decision.sql'), 'utf8').trim();
  const filled = text.replaceAll(/\$(\d+)(?=(::)?)/g, (_, number: string, cast: string | undefined) => {
    const value = parameters[Number(number) - 1];
    if (value === undefined) throw new Error(`the parameter $${number} of the decision is not known`);
    if (value === null) return 'null';
    const sql = toCopySql(value, copy, shared);
    return ID.test(value) && cast === undefined ? `${sql}::uuid` : sql;
  });
  return filled.replaceAll('\n', ' ');
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
