import { statement, type Queryable } from '@gp/pg';

/** The most devices kept of one user; the one unused for longest is dropped. */
const MOST = 20;

const ofEmail = statement<{ found: boolean }>(
  'dashboard.is-device-of-email',
  `select exists (select from known_devices d join users u on u.id = d.user_id
   where d.id_hash = $1 and u.email = $2) as found`,
);
const ofAnybody = statement<{ found: boolean }>(
  'dashboard.is-known-device',
  'select exists (select from known_devices where id_hash = $1) as found',
);
// The subqueries read the rows from before the insert.
const remember = statement<{ others: bigint; was_known: boolean }>(
  'dashboard.remember-device',
  `insert into known_devices (id_hash, user_id) values ($1, $2)
   on conflict (id_hash, user_id) do update set last_seen_at = clock_timestamp()
   returning (select count(*) from known_devices k where k.user_id = $2 and k.id_hash <> $1) as others,
             exists (select from known_devices k where k.user_id = $2 and k.id_hash = $1) as was_known`,
);
const drop = statement(
  'dashboard.drop-old-devices',
  `delete from known_devices where user_id = $1 and id_hash not in (
     select id_hash from known_devices where user_id = $1 order by last_seen_at desc limit ${MOST})`,
);
const forget = statement('dashboard.forget-devices', 'delete from known_devices where user_id = $1');

/** Returns whether the user with this e-mail has logged in on the device. */
export async function isDeviceOf(db: Queryable, idHash: Buffer, email: string): Promise<boolean> {
  return (await db.query(ofEmail, [idHash, email]))[0]?.found === true;
}

/** Returns whether anybody has logged in on the device. */
export async function isKnownDevice(db: Queryable, idHash: Buffer): Promise<boolean> {
  return (await db.query(ofAnybody, [idHash]))[0]?.found === true;
}

/**
 * Stores that a user logged in on a device; returns whether the device was known before, and how many others the
 * user has.
 */
export async function saveDevice(
  db: Queryable,
  idHash: Buffer,
  userId: string,
): Promise<{ wasKnown: boolean; others: number }> {
  const [row] = await db.query(remember, [idHash, userId]);
  await db.query(drop, [userId]);
  return { wasKnown: row?.was_known === true, others: Number(row?.others ?? 0n) };
}

/** Makes every device of a user unknown. */
export async function deleteDevices(tx: Queryable, userId: string): Promise<void> {
  await tx.query(forget, [userId]);
}
