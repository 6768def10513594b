import type { Bootstrap, Session } from '@gp/checkout-web/bootstrap';
import type { Mode, PspCode } from '@gp/contracts';
import { AppError } from '@gp/errors';
import type { Brand } from '../domain/brand.ts';
import { listSources, toBrowserGateway, type AddressBook, type Sources } from '../domain/gateway-parts.ts';
import { toPaymentStatus, type PaymentStatus } from '../domain/payment-status.ts';
import type { KnownGroup } from '../domain/picture.ts';
import type { FreshSession, MintFor } from './mint-session.ts';
import type { Ledger } from './ports.ts';
import {
  showBrand,
  showGroup,
  showSentences,
  showTips,
  type WriteMinimum,
  type WriteTips,
  type Written,
} from './show-group.ts';

type Owner = { readonly merchant_id: string; readonly mode: Mode };

export type PageParts = {
  readonly ledger: Pick<Ledger, 'findGroupByPageToken' | 'findIntent' | 'findGroup' | 'hideName'>;
  readonly mintFor: MintFor;
  /** Returns the gateway of the merchant's next payment; undefined when it is not known, or there is none. */
  readonly activeGateway: (owner: Owner) => Promise<PspCode | undefined>;
  readonly findBrand: (owner: Owner) => Promise<Brand>;
  readonly writeMinimum: WriteMinimum;
  readonly writeTips: WriteTips;
  readonly addresses: AddressBook;
  readonly home: string;
  readonly api: string;
};

export type Opened = { readonly bootstrap: Bootstrap; readonly sources: readonly Sources[] };

/** Short, because a visitor of the page can always get another token; the page requests the next one in time. */
const PAGE_SESSION_SECONDS = 900;

export type Wishes = Written & {
  /** The gateway of a payment begun on this page, when that is no longer the active one. */
  readonly gateway: PspCode | undefined;
  /** The payment with which the payer returns from the bank. */
  readonly payment: string | undefined;
  /** The number of the slot that the link is for; one that the group does not have is ignored. */
  readonly slot: number | undefined;
  /** Whether every slot that is available is chosen at first. */
  readonly choosesFree: boolean;
};

/** Returns the data the hosted page starts with; rejects with `not_found` for an unknown token. Takes no slot. */
export function openPage(parts: PageParts): (pageToken: string, wishes: Wishes) => Promise<Opened> {
  return async (pageToken, { gateway, payment, slot, choosesFree, ...written }) => {
    const found = await parts.ledger.findGroupByPageToken(pageToken);
    const [minted, active, brand, returned] = await Promise.all([
      parts.mintFor(found, { expires_in: PAGE_SESSION_SECONDS }),
      parts.activeGateway(found.group),
      parts.findBrand(found.group),
      payment === undefined ? null : findReturnedPayment(parts, found, payment),
    ]);
    const shown = {
      ...found,
      session: toSession(minted),
      psp: gateway ?? active,
      brand,
      nowMs: minted.nowMs,
    };
    const bootstrap: Bootstrap = {
      kind: 'page',
      ...common(parts, shown, written),
      ...(found.slots.some(({ sequence_no }) => sequence_no === slot) && { slot: slot as number }),
      ...(choosesFree && { chooses_free: true }),
      session_path: `/c/${pageToken}/session`,
      returned,
    };
    return { bootstrap, sources: chooseSources(parts, found, [gateway, active]) };
  };
}

/** Returns a fresh token for an open page; rejects with `not_found`. */
export function renewPageSession(
  parts: Pick<PageParts, 'ledger' | 'mintFor'>,
): (pageToken: string) => Promise<Session> {
  return async (pageToken) => {
    const found = await parts.ledger.findGroupByPageToken(pageToken);
    return toSession(await parts.mintFor(found, { expires_in: PAGE_SESSION_SECONDS }));
  };
}

/** Returns the data the widget's frame starts with, for the holder of a token. */
export function openFrame(parts: PageParts): (
  o: Written & {
    scope: { merchant_id: string; mode: Mode; group_id: string };
    session: Session;
    /** The number of the link under which the token was minted. */
    linkNumber: number;
  },
) => Promise<Bootstrap> {
  return async ({ scope, session, linkNumber, ...written }) => {
    const [found, active, brand] = await Promise.all([
      parts.ledger.findGroup(scope),
      parts.activeGateway(scope),
      parts.findBrand(scope),
    ]);
    const shown = { ...found, session, psp: active, brand, nowMs: Date.now() };
    const { page_token, link_number = 0 } = found.group;
    return {
      kind: 'embed',
      ...common(parts, shown, written),
      session_path: null,
      returned: null,
      // A token of an earlier link gets no newer one (X13). The shop may have chosen the language.
      ...(linkNumber >= link_number && { friends_path: `/c/${page_token}/friends?lang=${written.locale}` }),
    };
  };
}

/** Returns the status of a payment of this group; rejects with `not_found` for every other one. */
export function findPayment(
  ledger: Pick<Ledger, 'findIntent'>,
): (
  scope: { merchant_id: string; mode: Mode; group_id: string },
  intentId: string,
) => Promise<PaymentStatus> {
  return async ({ merchant_id, mode, group_id }, intent_id) => {
    const intent = await ledger.findIntent({ merchant_id, mode, intent_id });
    if (intent.group_id !== group_id)
      throw new AppError('not_found', { message: 'payment intent not found' });
    return toPaymentStatus(intent);
  };
}

/** Shows the name of a payment's payer to nobody else any longer (Q99); rejects with `not_found` for a payment of another group. */
export function hideName(
  ledger: Pick<Ledger, 'hideName'>,
): (scope: { merchant_id: string; mode: Mode; group_id: string }, intentId: string) => Promise<void> {
  return async ({ merchant_id, mode, group_id }, intent_id) =>
    void (await ledger.hideName({ merchant_id, mode, group_id, intent_id }));
}

function findReturnedPayment(
  { ledger }: PageParts,
  { group }: KnownGroup,
  intentId: string,
): Promise<PaymentStatus | null> {
  const { merchant_id, mode, id: group_id } = group;
  // An altered address shows the page as if no payer had returned.
  return findPayment(ledger)({ merchant_id, mode, group_id }, intentId).catch(() => null);
}

type Shown = KnownGroup & {
  readonly session: Session;
  readonly psp: PspCode | undefined;
  readonly brand: Brand;
  readonly nowMs: number;
};

function common(parts: PageParts, { session, psp, brand, nowMs, ...found }: Shown, texts: Written) {
  const { mode } = found.group;
  return {
    mode,
    locale: texts.locale,
    written_as: texts.written,
    ...showBrand(brand),
    ...(brand.support && { support: brand.support }),
    group: showGroup(found),
    ...showSentences(parts.writeMinimum, found, texts),
    ...showTips(parts.writeTips, found, texts),
    session,
    gateway: psp === undefined ? null : toBrowserGateway(psp, parts.addresses[mode][psp]),
    api_url: parts.api,
    checkout_url: parts.home,
    server_time: new Date(nowMs).toISOString(),
  };
}

const toSession = ({ token, endsAtMs, canPay }: FreshSession): Session => ({
  token,
  expires_at: new Date(endsAtMs).toISOString(),
  can_pay: canPay,
});

function chooseSources(
  { addresses }: PageParts,
  { group }: KnownGroup,
  psps: readonly (PspCode | undefined)[],
): Sources[] {
  return psps.filter((psp) => psp !== undefined).map((psp) => listSources(addresses[group.mode][psp]));
}
