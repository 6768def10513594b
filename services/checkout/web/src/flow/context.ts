import type { ServerClock } from '../clock/server-clock.ts';
import type { Host } from '../host.ts';
import type { CardForm } from '../gateways/card-form.ts';
import type { Translate } from '../i18n/translate.ts';
import type { PaymentApi } from '../net/api.ts';
import type { OwnPayments } from '../net/payments.ts';
import type { Model } from '../state/model.ts';

/** The dependencies of the flows. `signal` aborts when the page is taken down. */
export type Context = OwnPayments & {
  readonly model: Model;
  readonly clock: ServerClock;
  readonly host: Host;
  readonly api: PaymentApi;
  readonly t: Translate;
  /** The time zone of the browser; undefined where it names none. */
  readonly timeZone: string | undefined;
  readonly signal: AbortSignal;
  /** Opens the page again for another gateway; undefined where only the host could. */
  readonly reopen: ((pspCode: string) => void) | undefined;
  /** The fields of the active gateway, while the card step is on the page. */
  cardForm: CardForm | undefined;
  /** Follows what this payer has reserved and paid in a new picture; undefined until the later steps are loaded. */
  followOwnShares: (() => void) | undefined;
  pause(ms: number): Promise<void>;
};
