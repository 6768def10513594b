import type { Mode } from '@gp/contracts';
import { listOwnerEmails } from '../../db/users.ts';
import type { Actor, WebParts } from '../ports.ts';
import { isWithin } from '../account/tries.ts';
import { letters } from './letters.ts';
import type { Mail } from './mail.ts';

type NoticeParts = Pick<WebParts, 'db' | 'mailer' | 'addresses'>;

/** The texts of mails to owners, as the rest of "… in live mode". */
const DEEDS = {
  'key.created': 'created an API key',
  'key.rolled': 'rolled an API key',
  'key.revoked': 'revoked an API key',
  'gateway.connected': 'connected a gateway or changed its keys',
  'gateway.activated': 'changed the gateway that new payments go to',
  'gateway.disconnected': 'disconnected a gateway',
  'origins.changed': 'changed the web origins that may use session tokens',
  'support_contact.changed': 'changed whom payers are told to ask',
  'webhook.created': 'added a webhook endpoint',
  'webhook.changed': 'changed a webhook endpoint',
  'webhook.rolled': 'rolled the secret of a webhook endpoint',
  'payment.refunded': 'refunded a group payment',
  'payment.cancelled': 'cancelled a group payment',
} as const;
export type Deed = keyof typeof DEEDS;

/** The texts of mails to owners about changes of the team, which acts in both modes. */
const TEAM_DEEDS = {
  'team.invited': 'invited somebody to the team',
  'team.role_changed': 'changed the role of a member',
  'team.removed': 'removed a member',
  'team.rule_changed': 'changed whether members need a second factor',
} as const;
export type TeamDeed = keyof typeof TEAM_DEEDS;

/** Refunds and cancellations are daily work: the mail names the first of an hour, the audit log names them all. */
const REPEATED: ReadonlySet<Deed> = new Set(['payment.refunded', 'payment.cancelled']);
const HOURLY = { most: 1, seconds: 60 * 60 };

/**
 * Mails a merchant's owners each member's action on live money or secrets; sends nothing for test mode. Delivery does not
 * delay the response.
 */
export function noticeOwners(parts: NoticeParts): (actor: Actor, mode: Mode, deed: Deed) => Promise<void> {
  const write = letters(parts.addresses.dashboard);
  return async (actor, mode, deed) => {
    const { mailer, db } = parts;
    if (mode !== 'live' || !mailer) return;
    const counted = { what: deed, of: actor.merchantId, limit: HOURLY };
    if (REPEATED.has(deed) && !(await isWithin(db, counted))) return;
    await mailOwners(parts, actor, (to) => write.ownersNotice(to, { actor: actor.name, deed: DEEDS[deed] }));
  };
}

/** Mails a merchant's owners each change of the team: a new member may be allowed everything an owner is. */
export function noticeTeam(parts: NoticeParts): (actor: Actor, deed: TeamDeed) => Promise<void> {
  const write = letters(parts.addresses.dashboard);
  return (actor, deed) =>
    mailOwners(parts, actor, (to) => write.teamNotice(to, { actor: actor.name, deed: TEAM_DEEDS[deed] }));
}

/** Mails a merchant's owners each change of its name, which payers read as the payee. */
export function noticeRename(parts: NoticeParts): (actor: Actor) => Promise<void> {
  const write = letters(parts.addresses.dashboard);
  return (actor) => mailOwners(parts, actor, (to) => write.renamedNotice(to, { actor: actor.name }));
}

async function mailOwners(
  { db, mailer }: NoticeParts,
  { merchantId }: Actor,
  write: (to: string) => Mail,
): Promise<void> {
  if (!mailer) return;
  for (const to of await listOwnerEmails(db, merchantId)) mailer.send(write(to));
}
