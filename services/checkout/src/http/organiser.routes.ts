import { AppError } from '@gp/errors';
import {
  admittedRoute,
  clientNetwork,
  compressAnswer,
  type HttpHead,
  type HttpRequest,
  type HttpResponse,
  type Route,
} from '@gp/http';
import type { openOrganiserPage } from '../app/organiser/open-organiser-page.ts';
import type { organiserReader } from '../app/organiser/organiser-reader.ts';
import type { OrganiserCalls } from '../app/organiser/ports.ts';
import type { remind } from '../app/organiser/remind.ts';
import type { Pace } from '../app/pace.ts';
import { toPicture, type KnownGroup } from '../domain/picture.ts';
import { answerLive, type LiveParts } from './answer-live.ts';
import { keepAskedLanguage } from './page-language.ts';
import { toPictureBody } from './picture-body.ts';
import { readExpiry } from './read-expiry.ts';
import { refuseOtherSites } from './same-origin.ts';
import { readLocale, readWritten, type Sheets } from './sheet.ts';

export type OrganiserRoutes = LiveParts & {
  readonly open: ReturnType<typeof openOrganiserPage>;
  readonly read: ReturnType<typeof organiserReader>;
  readonly remind: ReturnType<typeof remind>;
  readonly calls: Pick<OrganiserCalls, 'extend' | 'cancel'>;
  readonly sheets: Sheets;
  /** Our own address, without a slash at the end. */
  readonly home: string;
  readonly paces: OrganiserPaces;
};

/** How fast a client's network opens organisers' links, and how fast one link is used to look and to act. */
export type OrganiserPaces = { readonly byAddress: Pace; readonly byLink: Pace; readonly acts: Pace };

const TOKEN = /^[\w-]{22,100}$/;

/**
 * The page of a group's organiser, its live stream and its actions. The token in the path is the only credential, and the
 * ledger checks it together with the right. Every unknown token gets the same response.
 */
export function organiserRoutes(o: OrganiserRoutes): Route[] {
  const admit = (head: HttpHead): string => {
    const seconds = o.paces.byAddress(clientNetwork(head.remoteAddress));
    if (seconds > 0) throw limited(seconds);
    const token = head.params['organiser_token'] ?? '';
    if (!TOKEN.test(token)) throw new AppError('not_found');
    const wait = o.paces.byLink(token);
    if (wait > 0) throw limited(wait);
    return token;
  };
  const show = async (request: HttpRequest): Promise<HttpResponse> => {
    const written = { locale: readLocale(request), written: readWritten(request) };
    const page = o.sheets.organiser(await o.open(admit(request), written));
    return { ...page, headers: { ...page.headers, ...keepAskedLanguage(request) } };
  };
  const act = (name: string, run: (token: string, request: HttpRequest) => Promise<unknown>): Route =>
    admittedRoute({
      method: 'POST',
      path: `/o/:organiser_token/${name}`,
      admit: async (head) => {
        refuseOtherSites(head, o.home);
        const token = admit(head);
        const wait = o.paces.acts(token);
        if (wait > 0) throw limited(wait);
        return token;
      },
      handle: async (request, token) => ({ status: 200, body: await run(token, request) }),
    });
  return [
    {
      method: 'GET',
      path: '/o/:organiser_token',
      handle: (request) =>
        show(request)
          .catch((error: unknown) => o.sheets.problem(readLocale(request), error))
          .then((answer) => compressAnswer(request, answer)),
    },
    admittedRoute({
      method: 'GET',
      path: '/o/:organiser_token/events',
      admit: async (head) => o.read(admit(head)),
      handle: (request, reader) => answerLive(o, request, reader),
    }),
    act('remind', (token) => o.remind(token)),
    act('extend', async (token, request) => toBody(await o.calls.extend(token, readExpiry(request)))),
    act('cancel', async (token) => toBody(await o.calls.cancel(token))),
  ];
}

const toBody = (found: KnownGroup) => toPictureBody(toPicture(found));
const limited = (seconds: number): AppError =>
  new AppError('rate_limited', { retryAfterSeconds: Math.ceil(seconds) });
