import type { BankForm, CompletedGroup, HostError, Theme } from '../../src/host.ts';

/*
 * The messages between the merchant's page and the frame. Two messages by postMessage, each to a named origin,
 * open a channel; all others go through it. A merchant may pin a loader for years: messages are added, never
 * changed.
 */

/** The frame has loaded and listens. */
export const READY = 'service-group-pay:ready';
/** The page's answer; it carries the other end of the channel, and since 1.3.0 the page's `theme`. */
export const CONNECT = 'service-group-pay:connect';

/** From the page. The first session starts the form, later ones bring a fresh token. */
export type ToFrame =
  | {
      readonly type: 'session';
      readonly token: string;
      readonly groupPaymentId: string;
      readonly payerEmail?: string | undefined;
      readonly theme: Theme;
      /** The address to which the payer returns from a bank. */
      readonly pageUrl: string;
    }
  | { readonly type: 'no-session'; readonly message: string };

/** From the frame. */
export type ToPage =
  /** The server has accepted the session; it names the banks that a form may be sent to. */
  | { readonly type: 'opened'; readonly bankOrigins: readonly string[] }
  | { readonly type: 'height'; readonly px: number }
  | { readonly type: 'refresh' }
  | { readonly type: 'complete'; readonly group: CompletedGroup }
  | ({ readonly type: 'error' } & HostError)
  | { readonly type: 'bank'; readonly form: BankForm };
