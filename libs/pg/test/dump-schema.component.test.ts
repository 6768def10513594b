import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase, type TestDatabase } from '@gp/testing';
import { dumpSchema, migrate, openPg, unprepared } from '../src/index.ts';
import { scratchFolder, type ScratchFolder } from './scratch.ts';

let scratch: ScratchFolder;
let database: TestDatabase;
let directory: string;
const make = (schema: string): Promise<unknown> =>
  migrate({ url: database.adminUrl, schema, role: schema, password: 'test', directories: [directory] });

beforeAll(async () => {
  scratch = await scratchFolder();
  directory = await scratch.write('dumped', {
    '0001-all.sql': `--! expand
      create type mood as enum ('calm', 'tense');
      create domain minor as bigint not null constraint minor_is_positive check (value > 0);
      create sequence tickets as int start 7;
      create table owners (id uuid primary key, name text collate "C" not null, seen_at timestamptz default now());
      create table things (
        position bigint generated always as identity primary key, owner uuid not null references owners (id),
        amount minor, mood mood default 'calm', twice bigint generated always as (amount * 2) stored,
        constraint things_amount_is_even check (amount % 2 = 0), unique (owner, position)
      ) with (fillfactor = 90);
      create index things_tense on things (owner) where mood = 'tense';
      create table days (id uuid not null, primary key (id)) partition by range (id);
      create table days_p1 partition of days for values from (minvalue) to (maxvalue);
      create view calm_things as select position from things where mood = 'calm';
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger owners_stay before delete on owners for each row execute function refuse();`,
  });
  database = await testDatabase({ schemas: [] });
  await make('dump_a');
});
afterAll(async () => {
  await database.drop();
  await scratch.clear();
});

it('lists every object once, in one order, and no partition', async () => {
  expect(await dumpSchema(database.adminUrl, 'dump_a'))
    .toBe(`-- Schema dump_a, made from the migrations: never edited by hand.

create domain minor as bigint not null
  constraint minor_is_positive CHECK (VALUE > 0);

create type mood as enum ('calm', 'tense');

create sequence tickets as integer start 7 increment 1 cache 1;

create table days (
  id uuid not null,
  constraint days_pkey PRIMARY KEY (id)
)
partition by RANGE (id);

create table owners (
  id uuid not null,
  name text collate "C" not null,
  seen_at timestamp with time zone default now(),
  constraint owners_pkey PRIMARY KEY (id)
);

create table things (
  "position" bigint generated always as identity not null,
  owner uuid not null,
  amount minor,
  mood mood default 'calm'::mood,
  twice bigint generated always as (amount::bigint * 2) stored,
  constraint things_pkey PRIMARY KEY ("position"),
  constraint things_owner_position_key UNIQUE (owner, "position"),
  constraint things_owner_fkey FOREIGN KEY (owner) REFERENCES owners(id),
  constraint things_amount_is_even CHECK ((amount::bigint % 2::bigint) = 0)
)
with (fillfactor=90);

CREATE INDEX things_tense ON things USING btree (owner) WHERE mood = 'tense'::mood;

create view calm_things as
 SELECT "position"
   FROM things
  WHERE mood = 'calm'::mood;

CREATE OR REPLACE FUNCTION refuse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin raise 'no'; end $function$;

CREATE TRIGGER owners_stay BEFORE DELETE ON owners FOR EACH ROW EXECUTE FUNCTION refuse();
`);
});

it('reads the same for two schemas made by the same migrations', async () => {
  await make('dump_b');
  const [a, b] = await Promise.all(
    ['dump_a', 'dump_b'].map((schema) => dumpSchema(database.adminUrl, schema)),
  );
  expect(b?.replace('dump_b', 'dump_a')).toBe(a);
});

it('a column added by hand shows', async () => {
  const before = await dumpSchema(database.adminUrl, 'dump_a');
  const db = await openPg({ url: database.ownerUrl('dump_a'), name: 'hand', max: 1 });
  await db.query(unprepared('alter table owners add column nickname text'));
  await db.close();
  const after = await dumpSchema(database.adminUrl, 'dump_a');
  expect(after).not.toBe(before);
  expect(after.replace('  nickname text,\n', '')).toBe(before);
});
