import { AppError } from '@gp/errors';
import { clientNetwork, compressAnswer, type HttpHead, type HttpOutcome, type Route } from '@gp/http';
import type { MailLinks } from '../app/mails/mail-links.ts';
import type { Pace } from '../app/pace.ts';
import { readLocale, type Sheets } from './sheet.ts';

const TOKEN = /^[\w-]{32}$/;

/**
 * The page behind the link of a mail. Opening it changes nothing, because programs that scan mails open links; one POST ends the
 * mails, from the page's form or from the mail program (RFC 8058). Every unknown link gets the same response.
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
    const { payment, mails, payPath } = await o.links.open(token);
    return o.sheets.payment({ kind: 'payment', payment, mails, path: `/p/${token}`, pay_path: payPath });
  };
  const answer = (head: HttpHead, work: () => Promise<HttpOutcome>): Promise<HttpOutcome> =>
    work()
      .catch((error: unknown) => o.sheets.problem(readLocale(head), error))
      .then((page) => compressAnswer(head, page));
  const change = (path: string, mails: 'on' | 'off'): Route => ({
    method: 'POST',
    path,
    jsonOnly: false,
    handle: (request) =>
      answer(request, async () => {
        const token = admit(request);
        await o.links.change(token, mails);
        return show(token);
      }),
  });
  return [
    {
      method: 'GET',
      path: '/p/:token',
      handle: (request) => answer(request, async () => show(admit(request))),
    },
    change('/p/:token/unsubscribe', 'off'),
    change('/p/:token/subscribe', 'on'),
  ];
}
