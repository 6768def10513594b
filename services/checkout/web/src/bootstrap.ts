import type { GroupFacts, GroupState, Mode, PspCode, SlotState, ToldDeclineReason } from '@gp/contracts';
import type { Sentences } from './i18n/en.ts';
import type { MinimumWishIn } from './i18n/minimum/wish.ts';
import type { TipMessages } from './i18n/tips/messages.ts';
import type { FriendsPageIn } from './friends/friends.ts';
import type { Locale } from './languages.ts';
import type { OrganiserBootstrapIn } from './organiser/bootstrap.ts';
import type { MailWishIn, OwnPaymentIn, WrittenMail } from './payment/own-payment.ts';
import type { Support } from './payment/support.ts';

/**
 * The data that server and page exchange: types and what is constant. The server imports this file directly, and the
 * page's bundle includes only what it uses.
 */

export { findLanguage, LANGUAGES, LOCALES, type Language, type Locale } from './languages.ts';

/** The element that holds a Bootstrap as JSON, and the one the page is rendered into and hydrated from. */
export const BOOTSTRAP_ID = 'bootstrap';
export const ROOT_ID = 'app';
/** The link to the file with the sentences of the document's language. */
export const SENTENCES_ID = 'sentences';
/** The link to those that only the organiser's page has. */
export const OWN_SENTENCES_ID = 'own-sentences';

export type LiveSlot = {
  readonly id: string;
  readonly state: SlotState;
  /** Until when an `assigned` slot is reserved; after that it can be taken, even before a change is announced. */
  readonly held_until: string | null;
  /** The name of the payer who holds or has paid it; absent without that payer's consent, and from replicas of release 1.0. */
  readonly shown_name?: string;
};

export type Slot = LiveSlot & {
  readonly sequence_no: number;
  /** Minor units as decimal digits. */
  readonly amount_minor: string;
  /** The merchant's text beside the amount, such as "Starter and wine" (Q71). */
  readonly label?: string;
};

/** A group payment as any of its payers may see it. Instants are ISO 8601, UTC. */
export type Group = {
  readonly id: string;
  readonly name: string;
  readonly order_id: string;
  readonly total_minor: string;
  readonly currency: string;
  /** Decimals of the currency by ISO 4217; Intl does not always use them. */
  readonly fraction_digits: number;
  readonly state: GroupState;
  readonly facts: GroupFacts;
  readonly expires_at: string;
  /** The snapshot of a group with the greater number is the newer one. */
  readonly rev: number;
  readonly slots: readonly Slot[];
};

/** A token of this group for the API and for checkout, valid for any payer, and when it ends. */
export type Session = {
  readonly token: string;
  readonly expires_at: string;
  /** True while it can pay; a closed group is only read. */
  readonly can_pay: boolean;
};

/** The data the browser needs of the gateway of the next payment; the rest comes with the response to `pay`. */
export type Gateway = CardGateway | BankGateway;

/**
 * A gateway with a card form on this page: the flows `embedded` and `server_confirm`. `script`: its browser
 * library, loaded at the card step. `frame`: a page of the sandbox that replaces the library, shown in an iframe.
 */
export type CardGateway = { readonly psp_code: PspCode } & (
  { readonly script: string; readonly frame?: null } | { readonly script: null; readonly frame: string }
);

/**
 * A gateway that payers leave this page for: the flow `redirect`. `bank`: the origin that the form of `pay` must
 * be for; the policy of the page forbids every other one.
 */
export type BankGateway = { readonly psp_code: PspCode; readonly bank: string };

/**
 * The status of one payment. `pending` also when the gateway was asked for a hold and has not replied;
 * `capture_failed`: it was held, and the charge then failed. Besides the bootstrap's `returned`, a page reads the
 * status of a payment it began itself, after a reload or a lost response:
 * `GET {checkout_url}/v1/group-payments/{id}/payments/{payment_intent_id}` with the token as bearer.
 */
export type PaymentStatus = {
  readonly payment_intent_id: string;
  readonly status: 'pending' | 'held' | 'captured' | 'capture_failed' | 'failed' | 'released';
  /** Why it failed, when known: a code of the API's catalogue such as `card_declined`. */
  readonly failure_code: string | null;
  /** Why the card was declined, where a payer may be told; absent from replicas of release 1.0. */
  readonly decline_reason?: ToldDeclineReason | null;
  readonly slot_ids: readonly string[];
};

/** A picture on this origin, with its size in pixels, which reserves its place before it is loaded. */
export type Logo = { readonly src: string; readonly width: number; readonly height: number };

/**
 * The data the page starts with: in the page of `checkout_url`, and for the widget's frame the response to
 * `POST /embed/v1/admissions` with the token as bearer and `{"origin": "https://shop.example"}`, the origin its
 * MessagePort came from. 401 for a token that is not valid, 404 when its merchant has not registered that origin.
 */
export type Bootstrap = {
  /** `page`: at `checkout_url`. `embed`: in the widget's iframe; its token comes and is renewed over the MessageChannel. */
  readonly kind: 'page' | 'embed';
  readonly mode: Mode;
  readonly locale: Locale;
  /** The language with the payer's region, such as `en-AU` or `ar-EG-u-nu-latn`: amounts and dates are written as there. */
  readonly written_as: string;
  /** The merchant's name, as the merchant states it; null while it is not known. */
  readonly payee: string | null;
  /** The merchant's colour, `#rrggbb`, which the widget's page may replace; null for ours. */
  readonly brand_color: string | null;
  /** The merchant's logo; absent while there is none, and from replicas of release 1.0. */
  readonly logo?: Logo;
  /** Whom payers may ask, for the steps that load later; absent where the merchant names nobody, and from older replicas. */
  readonly support?: Support;
  readonly group: Group;
  /** What payers may add to their shares, with the sentences that offer it; absent where they may add nothing. */
  readonly tips?: { readonly max_minor: string; readonly texts: TipMessages };
  /** Sentences of this group that replace those of the language; absent where there are none. */
  readonly sentences?: Sentences;
  /** The number of the slot that the link is for (Q72); absent where it is for all of them. */
  readonly slot?: number;
  /** True where the link asks for every slot that is available; absent otherwise. */
  readonly chooses_free?: true;
  readonly session: Session;
  /**
   * Null while the merchant has no active gateway. When `pay` returns another `psp_code` than this one, the
   * merchant has just changed it: reload with `?gateway=<psp_code>` (idempotency key kept), whose policy allows
   * that gateway.
   */
  readonly gateway: Gateway | null;
  /** Without a slash at the end: `{api_url}/v1/group-payments/{id}/pay`. */
  readonly api_url: string;
  /** Without a slash at the end: `{checkout_url}/v1/group-payments/{id}/events`. */
  readonly checkout_url: string;
  /** Where the frame's payers invite others, on this origin; absent on the page, which knows its own address, and from older replicas. */
  readonly friends_path?: string;
  /** Path, on this origin, where `POST` returns a fresh Session; null in the iframe. */
  readonly session_path: string | null;
  /** The payment of a payer who has returned from the bank's page (`?payment=`), as the server knows it. */
  readonly returned: PaymentStatus | null;
  /** The server's clock when this was made; both countdowns use it. */
  readonly server_time: string;
};

/**
 * The live stream, `GET {checkout_url}/v1/group-payments/{id}/events` with the token as bearer:
 *
 *     event: snapshot   id: <rev>   data: Picture            all slots: at connect, and whenever a change was missed
 *     event: change     id: <rev>   data: PictureChange      only the slots that changed
 *     event: heartbeat              data: Heartbeat          every 20 s
 *     event: end                    data: {"reason": End}    the last one; the connection closes after it
 *
 * A change whose `prev` is not the known rev follows one that was missed: connect again. When a client sends the
 * newest rev as `Last-Event-ID`, the stream starts with a heartbeat instead of a snapshot. A connection that is
 * silent for 45 s is dead. 503 and 429 come with `Retry-After`.
 *
 * Without streams: the same address with `Accept: application/json` returns a Picture with an `ETag`;
 * `If-None-Match` gets 304. Ask every 3 s while a change is awaited, every 10 s otherwise.
 */
export type Picture = {
  readonly rev: number;
  readonly state: GroupState;
  /** Absent from replicas of release 1.0; `readFacts` reads them. */
  readonly facts?: GroupFacts;
  readonly expires_at: string;
  readonly server_time: string;
  readonly slots: readonly LiveSlot[];
};
export type PictureChange = Picture & { readonly prev: number };
export type Heartbeat = { readonly rev: number; readonly server_time: string };
/**
 * `session_ended`: get a new token and connect again. `final`: the group no longer changes, except by a refund; a
 * page that shows refunds asks again now and then.
 */
export type End = 'session_ended' | 'final';

/** Pages without a payment. One text for every cause, so that it does not reveal which tokens exist. */
export type Problem = 'not_found' | 'unavailable' | 'too_many' | 'unregistered';

export type OwnPayment = OwnPaymentIn<Locale>;
export type MailWish = MailWishIn<Locale>;
export type MinimumWish = MinimumWishIn<Locale>;
export type FriendsPage = FriendsPageIn<ShownGroup>;
/** What every page about a group begins with. */
type ShownGroup = Pick<
  Bootstrap,
  'mode' | 'locale' | 'written_as' | 'payee' | 'brand_color' | 'logo' | 'group' | 'sentences' | 'server_time'
>;
export type OrganiserBootstrap = OrganiserBootstrapIn<Locale, Group, Logo, Sentences>;

/** A view that the server draws. */
export type View =
  | { readonly kind: 'page'; readonly bootstrap: Bootstrap }
  | { readonly kind: 'friends'; readonly page: FriendsPage }
  | { readonly kind: 'organiser'; readonly bootstrap: OrganiserBootstrap }
  /** The iframe before it has any data: it waits for its MessagePort. */
  | { readonly kind: 'embed'; readonly locale: Locale }
  /** The page behind a mail's link, at `path`. */
  | {
      readonly kind: 'payment';
      readonly payment: OwnPayment;
      readonly path: string;
      readonly mails: 'on' | 'off';
      /** The path of the checkout page, where the payment is not finished or is held, and its group waits for payers. */
      readonly pay_path: string | null;
      readonly shown_name: string | null;
    }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly locale: Locale };

/**
 * A drawn view: the inside of the root element, plain text for the title, the direction of the language, and of a page
 * with a payment the plain text that a chat shows below its link.
 */
export type Drawn = {
  readonly html: string;
  readonly title: string;
  readonly dir: 'ltr' | 'rtl';
  readonly description?: string;
};

/** The exports of `src/server.tsx`, built to `dist/server/server.js`. Must not throw and must not wait. */
export type ServerEntry = {
  readonly draw: (view: View) => Drawn;
  readonly writeMail: (wish: MailWish) => WrittenMail;
  readonly writeMinimum: (wish: MinimumWish) => Sentences;
  readonly writeTips: (locale: Locale) => TipMessages;
};

export type { Fate, MailKind } from './payment/own-payment.ts';
export type { Sentences, Support, WrittenMail };
export type { GroupState, Mode, PspCode, SlotState, ToldDeclineReason };
