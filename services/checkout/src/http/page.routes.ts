import { AppError } from '@gp/errors';
import { isPspCode, type PspCode } from '@gp/gateway-registry';
import {
  clientNetwork,
  compressAnswer,
  type HttpHead,
  type HttpRequest,
  type HttpResponse,
  type Route,
} from '@gp/http';
import type { Pace } from '../app/pace.ts';
import type { openFriends } from '../app/open-friends.ts';
import type { openPage, renewPageSession } from '../app/open-page.ts';
import type { PayerReturns } from '../app/payer-returns.ts';
import { keepAskedLanguage } from './page-language.ts';
import { readLinkedSlot } from './linked-slot.ts';
import { readLocale, readWritten, type Sheets } from './sheet.ts';
import { UUID } from './uuid.ts';

export type PageRoutes = {
  readonly open: ReturnType<typeof openPage>;
  readonly openFriends: ReturnType<typeof openFriends>;
  readonly renew: ReturnType<typeof renewPageSession>;
  readonly returns: PayerReturns;
  readonly sheets: Sheets;
  readonly paces: MintPaces;
};

/** How fast a client's network, and the visitors of a link together, get session tokens. */
export type MintPaces = { readonly byAddress: Pace; readonly byLink: Pace };

const PAGE_TOKEN = /^[\w-]{22,100}$/;

/**
 * The hosted page of a group and the requests it makes. Opening it, by any person or program, takes no slot and
 * changes nothing. Every unknown token gets the same response.
 */
export function pageRoutes(o: PageRoutes): Route[] {
  const lost = (head: HttpHead) => o.sheets.problem(readLocale(head), new AppError('not_found'));
  const admitMint = (head: HttpHead): string => {
    const pageToken = readToken(head);
    // The limit by address comes first: a refused visitor uses up nothing of the limit that visitors of one link share.
    const seconds = o.paces.byAddress(clientNetwork(head.remoteAddress)) || o.paces.byLink(pageToken);
    if (seconds > 0) throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(seconds) });
    return pageToken;
  };
  const show = async (request: HttpRequest): Promise<HttpResponse> => {
    const payment = readPaymentId(request);
    const { bootstrap, sources } = await o.open(admitMint(request), {
      locale: readLocale(request),
      written: readWritten(request),
      gateway: readGateway(request),
      payment,
      slot: readLinkedSlot(request),
      choosesFree: request.query.get('choose') === 'free',
    });
    // A payer of the widget left a merchant's page for the bank, and continues there.
    const back = payment === undefined ? undefined : await o.returns.find(bootstrap.group.id, payment);
    if (back !== undefined) return redirectTo(back);
    const page = o.sheets.page(bootstrap, sources);
    return { ...page, headers: { ...page.headers, ...keepAskedLanguage(request) } };
  };
  const showFriends = async (request: HttpRequest): Promise<HttpResponse> => {
    const page = await o.openFriends(admitMint(request), {
      locale: readLocale(request),
      written: readWritten(request),
      slot: readLinkedSlot(request),
    });
    const sheet = o.sheets.friends(page);
    return { ...sheet, headers: { ...sheet.headers, ...keepAskedLanguage(request) } };
  };
  const page = (path: string, draw: (request: HttpRequest) => Promise<HttpResponse>): Route => ({
    method: 'GET',
    path,
    handle: (request) =>
      draw(request)
        .catch((error: unknown) => o.sheets.problem(readLocale(request), error))
        .then((answer) => compressAnswer(request, answer)),
  });
  return [
    page('/c/:page_token', show),
    page('/c/:page_token/friends', showFriends),
    {
      method: 'POST',
      path: '/c/:page_token/session',
      jsonOnly: false,
      handle: async (request) => ({ status: 200, body: await o.renew(admitMint(request)) }),
    },
    // An incomplete address, for example from a truncated link.
    ...['/', '/c', '/c/'].map((path): Route => ({
      method: 'GET',
      path,
      handle: (request) => Promise.resolve(lost(request)),
    })),
  ];
}

function readToken({ params }: HttpHead): string {
  const token = params['page_token'] ?? '';
  if (!PAGE_TOKEN.test(token)) throw new AppError('not_found');
  return token;
}

function readGateway({ query }: HttpHead): PspCode | undefined {
  const code = query.get('gateway') ?? '';
  return isPspCode(code) ? code : undefined;
}

function readPaymentId({ query }: HttpHead): string | undefined {
  const id = query.get('payment') ?? '';
  return UUID.test(id) ? id.toLowerCase() : undefined;
}

const redirectTo = (address: string): HttpResponse => ({
  status: 303,
  headers: { Location: address, 'Referrer-Policy': 'no-referrer' },
});
