import { readJson, type Route } from '@gp/http';
import { readMode, readPayerMails } from '../../app/input/input.ts';
import { findPayerMails, setPayerMails } from '../../app/settings/payer-mails.ts';
import type { WebParts } from '../../app/ports.ts';
import type { PayerMails } from '../api.ts';
import { guards } from '../request/guards.ts';

/** Routes of the switch for mails to payers. */
export function payerMailRoutes(parts: WebParts): Route[] {
  const { allowed } = guards(parts.db);
  const set = setPayerMails(parts);
  // A folder takes the dashboard's mail only.
  const is_available = parts.mailer !== null && parts.mailbox === null;
  return [
    allowed('read', ['GET', '/api/payer-mails'], async (request, { merchantId }) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      const payer_mails = await findPayerMails(parts.db, merchantId, mode);
      return { status: 200, body: { payer_mails, is_available } satisfies PayerMails };
    }),
    allowed('branding.manage', ['PUT', '/api/payer-mails'], async (request, actor) => {
      const entered = readPayerMails(readJson(request));
      await set(actor, entered);
      return { status: 200, body: { payer_mails: entered.payer_mails, is_available } satisfies PayerMails };
    }),
  ];
}
