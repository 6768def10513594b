import type pg from 'pg';
import { retryWhileLocked, type LockPolicy } from './migration-locks.ts';
import { joinRole } from './roles.ts';

/** The roles of one schema, and how long its migrations wait for locks on objects that services use. */
export type SchemaRoles = {
  readonly schema: string;
  /** Owns the schema and all that is in it; nobody logs in with it. */
  readonly owner: string;
  /** The role with which the service logs in. */
  readonly role: string;
  readonly locks: LockPolicy;
};

/**
 * What the service may do with a table, by the comment on it. A table without a comment is the service's to change;
 * truncating, altering and dropping are the owner's in each case.
 */
const ACCESS = {
  'append-only': 'select, insert',
  'never deleted': 'select, insert, update',
  'read-only': 'select',
} as const;
const FULL = 'select, insert, update, delete';

const RELATIONS = `
  select c.oid::regclass::text as name, obj_description(c.oid, 'pg_class') as comment, c.relispartition as is_partition
  from pg_class c where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
    and c.relname <> 'migrations'`;

type Relation = { readonly name: string; readonly comment: string | null; readonly is_partition: boolean };

/** Creates the schema, takes over objects that the service's role owns, and revokes what PUBLIC has by default. */
export async function ensureSchema(client: pg.Client, o: SchemaRoles): Promise<void> {
  const [schema, owner, role] = [o.schema, o.owner, o.role].map((name) => client.escapeIdentifier(name));
  const { rows } = await client.query<{ database: string }>('select current_database() as database');
  const database = client.escapeIdentifier(rows[0]?.database ?? '');
  await client.query(`create schema if not exists ${schema} authorization ${owner}`);
  await takeOver(client, o);
  await client.query(`revoke all on schema ${schema} from public; revoke all on schema public from public`);
  await client.query(
    `revoke all on database ${database} from public; grant connect on database ${database} to ${role}`,
  );
  await client.query(`grant usage on schema ${schema} to ${role}`);
}

/**
 * Gives the service's role exactly the rights on each table that the comment on it names, in one transaction. Rights
 * of a partition are those of its table.
 */
export async function grantAccess(client: pg.Client, o: SchemaRoles): Promise<void> {
  const schema = client.escapeIdentifier(o.schema);
  const role = client.escapeIdentifier(o.role);
  const relations = (await client.query<Relation>(RELATIONS, [schema])).rows;
  const names = relations.map((relation) => relation.name).join(', ');
  const grants = relations
    .filter((relation) => !relation.is_partition)
    .map((relation) => `grant ${listRights(relation)} on ${relation.name} to ${role};`);
  await client.query(`begin; set local role ${client.escapeIdentifier(o.owner)};
    ${names === '' ? '' : `revoke all on ${names} from ${role};`}
    ${grants.join('\n')}
    grant usage on all sequences in schema ${schema} to ${role};
    revoke all on all functions in schema ${schema} from public;
    grant execute on all functions in schema ${schema} to ${role};
    commit`);
}

function listRights({ name, comment }: Relation): string {
  if (comment === null) return FULL;
  if (Object.hasOwn(ACCESS, comment)) return ACCESS[comment as keyof typeof ACCESS];
  throw new Error(`the comment on table ${name} must be one of: ${Object.keys(ACCESS).join(', ')}`);
}

/** Everything in a schema that has an owner of its own: the schema first, whose new owner may then own objects in it. */
const OWNED_BY_ROLE = `
  select kind, name from (
    select 0 as place, 'schema' as kind, quote_ident(nspname) as name, nspowner as owner
      from pg_namespace where nspname = $1
    union all select 1, 'table', c.oid::regclass::text, c.relowner
      from pg_class c where c.relnamespace = $2::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                          and d.deptype in ('i', 'a') and c.relkind = 'S')
    union all select 2, 'routine', p.oid::regprocedure::text, p.proowner
      from pg_proc p where p.pronamespace = $2::regnamespace
    union all select 3, 'type', t.oid::regtype::text, t.typowner
      from pg_type t where t.typnamespace = $2::regnamespace and t.typtype in ('e', 'd')
  ) as objects
  where owner = (select oid from pg_roles where rolname = $3) order by place, name`;

/**
 * Takes objects of the service's role over, as releases before this one made them: each in a transaction of its own in
 * which the role gets its rights on it back.
 */
async function takeOver(client: pg.Client, o: SchemaRoles): Promise<void> {
  const schema = client.escapeIdentifier(o.schema);
  const { rows } = await client.query<{ kind: string; name: string }>(OWNED_BY_ROLE, [
    o.schema,
    schema,
    o.role,
  ]);
  if (rows.length > 0) await joinRole(client, o.role);
  const [owner, role] = [o.owner, o.role].map((name) => client.escapeIdentifier(name));
  for (const { kind, name } of rows) {
    const rights = { schema: `grant usage on schema ${name}`, table: `grant ${FULL} on ${name}` }[kind];
    await retryWhileLocked(client, o.locks, async (setLockTimeout) => {
      await client.query(`begin; ${setLockTimeout};
        alter ${kind} ${name} owner to ${owner};
        ${rights === undefined ? '' : `${rights} to ${role};`}
        commit`);
    });
  }
}
