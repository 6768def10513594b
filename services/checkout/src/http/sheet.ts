import { randomBytes } from 'node:crypto';
import {
  LOCALES,
  type Bootstrap,
  type FriendsPage,
  type Locale,
  type OrganiserBootstrap,
  type Problem,
  type View,
} from '@gp/checkout-web/bootstrap';
import { AppError, toHttp } from '@gp/errors';
import type { HttpHead, HttpOutcome } from '@gp/http';
import { CSP_REPORTS } from '@gp/service';
import type { Pages } from '../app/pages.ts';
import { allSources, toOurselves, type Sources } from '../domain/gateway-parts.ts';
import { addRegion, chooseLocale, type Wish } from '../domain/locale.ts';
import { pageHeaders } from '../domain/page-policy.ts';
import { renderDocument } from './document.ts';
import { readAskedLanguage } from './page-language.ts';

const HTML = 'text/html; charset=utf-8';

export type Addresses = { readonly home: string; readonly api: string };

/** Answers browsers with pages: the requested one, or an explanation of why it cannot be shown. */
export type Sheets = {
  page(bootstrap: Bootstrap, sources: readonly Sources[]): HttpOutcome;
  frame(locale: Locale, o: { framedBy: readonly string[]; sources: readonly Sources[] }): HttpOutcome;
  /** Returns a note for the payer in the frame of a page at `origin`, which no merchant has registered: without script, data and links. */
  refusedFrame(locale: Locale, origin: string): HttpOutcome;
  organiser(bootstrap: OrganiserBootstrap): HttpOutcome;
  /** Returns the page on which payers invite others. */
  friends(page: FriendsPage): HttpOutcome;
  /** Returns the page of one payment; its form is posted to us. */
  payment(view: Extract<View, { kind: 'payment' }>): HttpOutcome;
  /** Returns the page for an error: one page for every unknown address, one for every failure of ours. */
  problem(locale: Locale, error: unknown): HttpOutcome;
};

const readWish = (head: HttpHead): Wish => ({
  asked: readAskedLanguage(head),
  acceptLanguage: head.headers['accept-language'],
});

/** Returns the locale of a request. */
export const readLocale = (head: HttpHead): Locale => chooseLocale(LOCALES, readWish(head));

/** Returns how amounts and dates are written for a request: its language, and the region it names or its browser prefers. */
export const readWritten = (head: HttpHead): string => addRegion(readLocale(head), readWish(head));

export function createSheets(o: { pages: Pages; addresses: Addresses }): Sheets {
  const { pages, addresses } = o;
  const buildPolicy = (sources: readonly Sources[], framedBy: readonly string[] = []) => {
    const nonce = randomBytes(18).toString('base64url');
    const gateway = allSources(sources);
    const headers = pageHeaders({ ...addresses, gateway, framedBy, nonce, reports: CSP_REPORTS });
    return { nonce, headers };
  };
  return {
    page(bootstrap, sources) {
      const { nonce, headers } = buildPolicy(sources);
      const { locale } = bootstrap;
      const drawn = pages.draw({ kind: 'page', bootstrap });
      const body = renderDocument({ locale, drawn, loads: pages.loads('page', locale), bootstrap, nonce });
      return { status: 200, headers, contentType: HTML, body };
    },
    organiser(bootstrap) {
      const { nonce, headers } = buildPolicy([]);
      const { locale } = bootstrap;
      const drawn = pages.draw({ kind: 'organiser', bootstrap });
      const loads = pages.loads('organiser', locale);
      const body = renderDocument({ locale, drawn, loads, bootstrap, nonce });
      return { status: 200, headers, contentType: HTML, body };
    },
    friends(page) {
      const { nonce, headers } = buildPolicy([]);
      const { locale, brand_color: brandColor } = page;
      const drawn = pages.draw({ kind: 'friends', page });
      const loads = pages.loads('friends', locale);
      // Its script only shows more buttons: the page is whole without it.
      const script = { loads, hasSentences: false, firstScript: 'keepPlaces' } as const;
      const body = renderDocument({ locale, drawn, ...script, brandColor, nonce });
      return { status: 200, headers, contentType: HTML, body };
    },
    frame(locale, { framedBy, sources }) {
      const { nonce, headers } = buildPolicy(sources, framedBy);
      const drawn = pages.draw({ kind: 'embed', locale });
      const body = renderDocument({ locale, drawn, loads: pages.loads('embed', locale), nonce });
      return { status: 200, headers, contentType: HTML, body };
    },
    refusedFrame(locale, origin) {
      const { nonce, headers } = buildPolicy([], [origin]);
      const drawn = pages.draw({ kind: 'problem', problem: 'unregistered', locale });
      // Its page knows no height of it, so unlike the form it may scroll.
      const loads = pages.loads('page', locale);
      const body = renderDocument({ locale, drawn, loads, isStatic: true, nonce });
      return { status: 403, headers, contentType: HTML, body };
    },
    payment(view) {
      const { nonce, headers } = buildPolicy([toOurselves(addresses.home)]);
      const { locale, brand_color } = view.payment;
      const loads = pages.loads('payment', locale);
      const drawn = pages.draw(view);
      const body = renderDocument({ locale, drawn, loads, isStatic: true, brandColor: brand_color, nonce });
      return { status: 200, headers, contentType: HTML, body };
    },
    problem(locale, error) {
      const { status, problem, retryAfter } = toProblem(error);
      const { nonce, headers } = buildPolicy([]);
      const drawn = pages.draw({ kind: 'problem', problem, locale });
      const loads = pages.loads('page', locale);
      const body = renderDocument({ locale, drawn, loads, isStatic: true, nonce });
      const wait = retryAfter === undefined ? {} : { 'Retry-After': retryAfter };
      return { status, headers: { ...headers, ...wait }, contentType: HTML, body, cause: error };
    },
  };
}

const RETRY_SECONDS = '5';

/** An error that only we can fix is shown as a short outage; its cause is in the log. */
function toProblem(error: unknown): { status: number; problem: Problem; retryAfter?: string } {
  const code = error instanceof AppError ? error.code : 'internal_error';
  if (code === 'not_found') return { status: 404, problem: 'not_found' };
  const retryAfter = toHttp(error, '').headers['Retry-After'] ?? RETRY_SECONDS;
  if (code === 'rate_limited') return { status: 429, problem: 'too_many', retryAfter };
  return { status: code === 'internal_error' ? 500 : 503, problem: 'unavailable', retryAfter };
}
