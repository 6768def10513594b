import { AppError } from '@gp/errors';
import { clientNetwork, compressAnswer, type HttpHead, type HttpOutcome, type Route } from '@gp/http';
import type { MailLinks } from '../app/mails/mail-links.ts';
import type { Pace } from '../app/pace.ts';
import { readLocale, type Sheets } from './sheet.ts';

const TOKEN = /^[\w-]{32}$/;

/**
 * The page behind the link of a mail. Opening it changes nothing, because programs that scan mails open links; one POST ends the
 * mails, from the page's form or from the mail program (RFC 8058), and another one hides the payer's name from the others. Every
 * unknown link gets the same response.
 */
export function paymentRoutes(o: { links: MailLinks; sheets: Sheets; pace: Pace }): Route[] {
  const admit = (head: HttpHead): string => {
    const token = head.params['token'] ?? '';
    const seconds = o.pace(clientNetwork(head.remoteAddress));
    if (seconds > 0) throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(seconds) });
    if (!TOKEN.test(token)) throw new AppError('not_found');
    return token;
  };
  const show = async (token: string): Promise<HttpOutcome> => {
    const { payment, mails, payPath, shownName } = await o.links.open(token);
    const page = { path: `/p/${token}`, pay_path: payPath, shown_name: shownName };
    return o.sheets.payment({ kind: 'payment', payment, mails, ...page });
  };
  const answer = (head: HttpHead, work: () => Promise<HttpOutcome>): Promise<HttpOutcome> =>
    work()
      .catch((error: unknown) => o.sheets.problem(readLocale(head), error))
      .then((page) => compressAnswer(head, page));
  const change = (path: string, act: (token: string) => Promise<void>): Route => ({
    method: 'POST',
    path,
    jsonOnly: false,
    handle: (request) =>
      answer(request, async () => {
        const token = admit(request);
        await act(token);
        return show(token);
      }),
  });
  return [
    {
      method: 'GET',
      path: '/p/:token',
      handle: (request) => answer(request, async () => show(admit(request))),
    },
    change('/p/:token/unsubscribe', (token) => o.links.change(token, 'off')),
    change('/p/:token/subscribe', (token) => o.links.change(token, 'on')),
    change('/p/:token/hide-name', (token) => o.links.hideName(token)),
  ];
}
