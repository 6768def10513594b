import { validationError } from '@gp/errors';
import { admittedRoute, compressAnswer, type HttpHead, type Route } from '@gp/http';
import type { openFrame } from '../app/open-page.ts';
import type { PayerReturns } from '../app/payer-returns.ts';
import type { Sources } from '../domain/gateway-parts.ts';
import { toScope, type Admitted, type AdmitSession } from './admission.ts';
import { readText } from './read-text.ts';
import { readLocale, readWritten, type Sheets } from './sheet.ts';
import { UUID } from './uuid.ts';

export type EmbedRoutes = {
  readonly admit: AdmitSession;
  readonly sheets: Sheets;
  readonly openFrame: ReturnType<typeof openFrame>;
  readonly returns: PayerReturns;
  /** Returns true when any merchant registered this origin. */
  readonly isRegisteredByAnyone: (origin: string) => Promise<boolean>;
  /** Returns the sources that the gateways of the merchants who registered the origin need. */
  readonly findSources: (origin: string) => Promise<Sources[]>;
  readonly refuseForeign: (
    owner: { merchant_id: string; mode: 'test' | 'live' },
    origin: string,
  ) => Promise<void>;
};

/**
 * The widget's frame. Its address contains only the origin that will hold it: the browser enforces that origin,
 * and the admission checks that the token, which comes by message, belongs to it. A page at an origin that no merchant has
 * registered holds a note for its payer in place of the form (Q113).
 */
export function embedRoutes(o: EmbedRoutes): Route[] {
  const show = async (head: HttpHead) => {
    const origin = readOrigin(head.query.get('origin') ?? '');
    const locale = readLocale(head);
    if (origin === undefined) return o.sheets.frame(locale, { framedBy: [], sources: [] });
    if (!(await o.isRegisteredByAnyone(origin))) return o.sheets.refusedFrame(locale, origin);
    return o.sheets.frame(locale, { framedBy: [origin], sources: await o.findSources(origin) });
  };
  return [
    {
      method: 'GET',
      path: '/embed/v1',
      handle: (request) =>
        show(request)
          .catch((error: unknown) => o.sheets.problem(readLocale(request), error))
          .then((answer) => compressAnswer(request, answer)),
    },
    admittedRoute({
      method: 'POST',
      path: '/embed/v1/admissions',
      admit: o.admit,
      async handle(request, admitted) {
        const origin = readOrigin(readText(request, 'origin'));
        if (origin === undefined)
          throw validationError('origin', 'must be an origin such as https://shop.example');
        const scope = toScope(admitted);
        await o.refuseForeign(scope, origin);
        return {
          status: 200,
          body: await o.openFrame({
            scope,
            session: toSession(admitted),
            linkNumber: admitted.claims.link ?? 0,
            locale: readLocale(request),
            written: readWritten(request),
          }),
        };
      },
    }),
    admittedRoute({
      method: 'POST',
      path: '/embed/v1/returns',
      admit: o.admit,
      async handle(request, admitted) {
        const paymentIntentId = readText(request, 'payment_intent_id').toLowerCase();
        if (!UUID.test(paymentIntentId)) throw validationError('payment_intent_id', 'must be a UUID');
        await o.returns.keep(toScope(admitted), {
          paymentIntentId,
          address: readText(request, 'return_url'),
        });
        return { status: 204 };
      },
    }),
  ];
}

const toSession = ({ token, endsAtMs, scope }: Admitted) => ({
  token,
  expires_at: new Date(endsAtMs).toISOString(),
  can_pay: scope.includes('pay'),
});

/** Returns the origin as browsers write it; undefined when the text is no origin. */
function readOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.origin === text ? text : undefined;
}
