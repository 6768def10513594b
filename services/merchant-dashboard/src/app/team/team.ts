import { AppError, notFound, validationError } from '@gp/errors';
import { clientNetwork } from '@gp/http';
import { findConstraint, type Queryable } from '@gp/pg';
import { uuidv7 } from 'uuidv7';
import { insertAudit } from '../../db/audit.ts';
import * as rows from '../../db/invitations.ts';
import { findMerchant, updateSecondFactorRule } from '../../db/merchants.ts';
import { deleteUserSessions } from '../../db/sessions.ts';
import { deleteUser, findUserByEmail, insertUser, listTeam, lockUsers, updateRole } from '../../db/users.ts';
import type { Teammate, User } from '../../db/users.ts';
import { mayAssign, type Role } from '../../domain/roles.ts';
import { normalEmail } from '../account/create-merchant.ts';
import { listSecondFactors } from '../../db/second-factors.ts';
import { revokeKeysCreatedBy } from '../settings/api-keys.ts';
import { letters } from '../mail/letters.ts';
import { requireMailer } from '../mail/mail.ts';
import type { WebParts } from '../ports.ts';
import { followLink, staleLink } from '../account/links.ts';
import { hashSecret, newSecret } from '../account/secrets.ts';
import type { Member } from '../account/sessions.ts';
import { countTry } from '../account/tries.ts';

export type { Teammate };
export type Invited = rows.InvitationRow;

/** Returns all members of a merchant's team and all pending invitations. */
export async function findTeam(
  { db }: Pick<WebParts, 'db'>,
  merchantId: string,
): Promise<{ members: Teammate[]; invitations: Invited[]; requiresSecondFactor: boolean }> {
  const [members, invitations, merchant] = await Promise.all([
    listTeam(db, merchantId),
    rows.listInvitations(db, merchantId),
    findMerchant(db, merchantId),
  ]);
  return { members, invitations, requiresSecondFactor: merchant?.requires_second_factor ?? false };
}

/** Invites a person by mail; a repeated invitation sends a new link. Only owners invite owners. */
export function invite(
  parts: WebParts,
): (member: Member, o: { email: string; role: Role }) => Promise<Invited> {
  const { db, limits } = parts;
  const write = letters(parts.addresses.dashboard);
  return async (member, { email: entered, role }) => {
    const mailer = requireMailer(parts);
    const email = normalEmail(entered);
    assertMayAssign(member, role);
    const known = await findUserByEmail(db, email);
    if (known?.merchantId === member.merchantId) throw validationError('email', 'is in the team already');
    await countTry(db, { what: 'mailbox', of: email, limit: limits.perMailbox });
    const { secret, hash } = newSecret();
    const { merchantId, email: invitedBy } = member;
    const wanted = { id: uuidv7(), tokenHash: hash, merchantId, email, role, invitedBy };
    const invited = await db.transaction(async (tx) => {
      await insertAudit(tx, member, 'team.invited', { email, role });
      return rows.putInvitation(tx, wanted);
    });
    const merchantName = (await findMerchant(db, merchantId))?.name ?? '';
    mailer.send(write.invitation(email, { merchantName, invitedBy, secret }));
    return invited;
  };
}

/** Withdraws an invitation: its link no longer works. */
export function withdrawInvitation({ db }: WebParts): (member: Member, id: string) => Promise<void> {
  return (member, id) =>
    db.transaction(async (tx) => {
      const gone = await rows.deleteInvitation(tx, member.merchantId, id);
      if (!gone) throw notFound('invitation');
      await insertAudit(tx, member, 'team.invitation_withdrawn', { email: gone.email });
    });
}

/** Returns what the link of an invitation offers; `unauthorized` when it was used or is too old. */
export function lookAtInvitation(parts: WebParts) {
  const look = async (secret: string) => {
    const found = await rows.findInvitation(parts.db, hashSecret(secret));
    if (!found) throw staleLink();
    return found;
  };
  return (secret: string, address: string) => followLink(parts, address, () => look(secret));
}

/**
 * Creates the user of an accepted invitation. `validation_error` when the address has an account of another
 * merchant. The password of an unknown link is not hashed.
 */
export function acceptInvitation(
  parts: WebParts,
): (o: { secret: string; password: string }, address: string) => Promise<User> {
  const { db, passwords } = parts;
  const accept = async (secret: string, password: string, address: string) => {
    const found = await rows.findInvitation(db, hashSecret(secret));
    if (!found) throw staleLink();
    const words = [found.email, found.merchant_name];
    const passwordHash = await passwords.hash(password, words, clientNetwork(address));
    return db
      .transaction(async (tx) => {
        const invited = await rows.takeInvitation(tx, hashSecret(secret));
        if (!invited) throw staleLink();
        const { merchant_id: merchantId, email, role } = invited;
        const user: User = { id: uuidv7(), merchantId, email, role };
        await insertUser(tx, { ...user, passwordHash });
        await insertAudit(tx, { merchantId, name: email }, 'team.joined', { role });
        return user;
      })
      .catch((error: unknown) => {
        if (findConstraint(error) !== 'users_are_known_by_email') throw error;
        throw validationError('email', 'has an account already; another address is needed');
      });
  };
  return ({ secret, password }, address) =>
    followLink(parts, address, () => accept(secret, password, address));
}

/** Gives a member another role and ends all their sessions. A merchant always has an owner. */
export function changeRole({ db }: WebParts): (member: Member, id: string, role: Role) => Promise<void> {
  return (member, id, role) =>
    changeTeam(db, member, id, async (tx, target, others) => {
      assertMayAssign(member, role);
      if (role !== 'owner') assertOwnerStays(target, others);
      await updateRole(tx, member.merchantId, id, role);
      await insertAudit(tx, member, 'team.role_changed', {
        email: target.email,
        from: target.role,
        to: role,
      });
    });
}

/**
 * Removes a member from the team, on request with the API keys the member made. A merchant always has an owner.
 */
export function removeMember({
  db,
  wakeRelay,
}: WebParts): (member: Member, id: string, o: { endKeys: boolean }) => Promise<void> {
  return async (member, id, { endKeys }) => {
    await changeTeam(db, member, id, async (tx, target, others) => {
      assertOwnerStays(target, others);
      const ended_keys = endKeys ? await revokeKeysCreatedBy(tx, member, target.email) : 0;
      await deleteUser(tx, member.merchantId, id);
      await insertAudit(tx, member, 'team.removed', { email: target.email, role: target.role, ended_keys });
    });
    wakeRelay();
  };
}

/**
 * Sets whether members need a second factor before anything else. `conflict` for an owner who has none: the rule
 * would lock its maker out.
 */
export function demandSecondFactor(
  parts: WebParts,
): (member: Member, o: { isRequired: boolean }) => Promise<void> {
  return async (member, { isRequired }) => {
    if (isRequired && (await listSecondFactors(parts.db, member.id)).length === 0)
      throw new AppError('conflict', { message: 'add a second factor to your own account first' });
    await parts.db.transaction(async (tx) => {
      await updateSecondFactorRule(tx, member.merchantId, isRequired);
      await insertAudit(tx, member, 'team.second_factor_rule_changed', { is_required: isRequired });
    });
  };
}

/** Runs one change of a team at a time; the member it concerns has to log in again. */
function changeTeam(
  db: WebParts['db'],
  member: Member,
  id: string,
  work: (tx: Queryable, target: User, others: readonly User[]) => Promise<void>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const team = await lockUsers(tx, member.merchantId);
    const target = team.find((user) => user.id === id);
    if (!target) throw notFound('user');
    assertMayAssign(member, target.role);
    await deleteUserSessions(tx, id, null);
    await work(
      tx,
      target,
      team.filter((user) => user.id !== id),
    );
  });
}

function assertMayAssign({ role: own }: Member, role: Role): void {
  if (!mayAssign(own, role))
    throw new AppError('insufficient_scope', { message: 'only owners make and unmake owners' });
}

function assertOwnerStays(target: User, others: readonly User[]): void {
  if (target.role === 'owner' && !others.some(({ role }) => role === 'owner'))
    throw new AppError('conflict', { message: 'a merchant needs an owner: make somebody else owner first' });
}
