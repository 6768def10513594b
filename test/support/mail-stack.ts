import { eventually, openMailServer, type MailServer } from '@gp/testing';
import { openDashboard } from './dashboard.ts';
import { askDatabase } from './ledger.ts';
import { openOwnStack, type OwnStack } from './own-stack.ts';
import type { Merchant, StackFile } from './stack.ts';

/** A stack whose payers get mails, and the mail server that receives them. */
export type MailStack = {
  readonly own: OwnStack;
  readonly server: MailServer;
  readonly mailsTo: (email: string) => MailServer['received'];
  /** Sets a merchant's switch for test mode in the dashboard, and waits until checkout knows. */
  switchMails(merchant: Merchant, isOn: boolean): Promise<void>;
  close(): Promise<void>;
};

/** Opens a stack of its own: shared stacks send no mails. */
export async function openMailStack(): Promise<MailStack> {
  const server = await openMailServer({ disabledCommands: ['STARTTLS'] });
  const own = await openOwnStack({
    GP_SET_CHECKOUT__MAIL_URL: `smtp://127.0.0.1:${server.port}`,
    GP_SET_CHECKOUT__MAIL_FROM: 'Group Payments <no-reply@platform.example>',
    GP_SET_CHECKOUT__MAIL_TLS: 'offered',
  });
  return {
    own,
    server,
    mailsTo: (email) => server.received.filter(({ envelope }) => envelope.to.includes(email)),
    switchMails: (merchant, isOn) => switchPayerMails(own.stack, merchant, isOn),
    async close() {
      await own.close();
      await server.close();
    },
  };
}

/** Sets a merchant's switch for test mode in the dashboard, and waits until checkout knows. */
export async function switchPayerMails(stack: StackFile, merchant: Merchant, isOn: boolean): Promise<void> {
  const dashboard = await openDashboard(stack, merchant);
  const { status } = await dashboard.put('payer-mails', { mode: 'test', payer_mails: isOn });
  if (status !== 200) throw new Error(`the switch was answered with ${status}`);
  const known = `select from allowed_origins
    where merchant_id = $1 and mode = 'test' and settings->'payer_mails' = to_jsonb($2::boolean)`;
  await eventually(
    async () => (await askDatabase(stack, 'checkout', known, [merchant.merchant_id, isOn]))[0],
  );
}
