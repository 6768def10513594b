import type { Contradiction } from './contradiction.ts';
import type { Views } from './views.ts';
import { acknowledgementsKept } from './judge-record.ts';
import { booksAgree } from './judge-books.ts';
import { logIsAChain } from './judge-log.ts';
import { messagesArrived } from './judge-messages.ts';
import { webhooksComplete } from './judge-webhooks.ts';
import { apiAgrees } from './judge-api.ts';
import { refundsAnswered } from './judge-refunds.ts';
import { clocksAgree } from './judge-clocks.ts';

/** Lists the contradictions between the four views of a finished run and the answers that clients got. */
export function contradictions(views: Views): Contradiction[] {
  return [
    ...apiAgrees(views),
    ...booksAgree(views),
    ...webhooksComplete(views),
    ...logIsAChain(views),
    ...acknowledgementsKept(views),
    ...refundsAnswered(views),
    ...messagesArrived(views),
    ...clocksAgree(views),
  ];
}
