import { readJson, type Route } from '@gp/http';
import { readMode, readSupportContact } from '../../app/input/input.ts';
import { noticeOwners } from '../../app/mail/notices.ts';
import { findSupportContact, setSupportContact } from '../../app/settings/support-contact.ts';
import type { WebParts } from '../../app/ports.ts';
import type { SupportContact } from '../api.ts';
import { guards } from '../request/guards.ts';

/** Routes of whom payers may ask. A stranger who changed it would be asked in the merchant's name, so it needs a proof. */
export function supportContactRoutes(parts: WebParts): Route[] {
  const { allowed, proved } = guards(parts.db);
  const set = setSupportContact(parts);
  const notice = noticeOwners(parts);
  return [
    allowed('read', ['GET', '/api/support-contact'], async (request, { merchantId }) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      const body: SupportContact = await findSupportContact(parts.db, merchantId, mode);
      return { status: 200, body };
    }),
    proved('branding.manage', ['PUT', '/api/support-contact'], async (request, actor) => {
      const entered = readSupportContact(readJson(request));
      const body: SupportContact = await set(actor, entered);
      await notice(actor, entered.mode, 'support_contact.changed');
      return { status: 200, body };
    }),
  ];
}
