import type { Mode } from '@gp/contracts';
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
  const isAvailable = (mode: Mode): Promise<boolean> => canMailPayers(parts, mode);
  return [
    allowed('read', ['GET', '/api/payer-mails'], async (request, { merchantId }) => {
      const { mode } = readMode(Object.fromEntries(request.query));
      const payer_mails = await findPayerMails(parts.db, merchantId, mode);
      const body: PayerMails = { payer_mails, is_available: await isAvailable(mode) };
      return { status: 200, body };
    }),
    allowed('branding.manage', ['PUT', '/api/payer-mails'], async (request, actor) => {
      const entered = readPayerMails(readJson(request));
      await set(actor, entered);
      const { mode, payer_mails } = entered;
      const body: PayerMails = { payer_mails, is_available: await isAvailable(mode) };
      return { status: 200, body };
    }),
  ];
}

/** Where mails go into a folder, checkout writes there only in test mode, and only in a stack that lets it. */
async function canMailPayers(
  { mailer, mailbox }: Pick<WebParts, 'mailer' | 'mailbox'>,
  mode: Mode,
): Promise<boolean> {
  if (mailbox === null) return mailer !== null;
  return mode === 'test' && (await mailbox.has('checkout'));
}
