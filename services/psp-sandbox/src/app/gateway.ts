import type { Route } from '@gp/http';
import type { CardBehaviour } from '../domain/card.ts';
import type { GatewayCode, Payment, Work } from '../domain/payment.ts';
import type { PlayCall } from './play-call.ts';
import type { Account, Accounts, Answer, Books, Desk, DueCallback, Endpoint } from './ports.ts';

export type ExternalAction = 'capture' | 'refund' | 'void' | 'dispute';

/** What a gateway needs to be played. */
export type Stage = {
  readonly books: Books;
  readonly accounts: Accounts;
  readonly playCall: PlayCall;
  readonly clock: () => Date;
  /** Where payers' browsers reach the sandbox. */
  readonly publicUrl: string;
  /** How long the processor takes to finish what it has accepted. */
  readonly confirmationDelayMs: number;
};

export type Posted = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** A callback whose proof stands in its headers, over a JSON body. */
export const jsonPost = (body: string, proof: Readonly<Record<string, string>>): Posted => ({
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...proof },
  body,
});

/** One gateway of the sandbox. A new one is a folder that makes one of these, and a line in `gateways.ts`. */
export interface PlayedGateway {
  readonly code: GatewayCode;
  /** What a tester should know: the cards with a meaning of their own, and what else makes a difference. */
  readonly overview: {
    readonly cards: ReadonlyMap<string, CardBehaviour>;
    readonly notes: readonly string[];
  };
  /** The API on the main port, under the gateway's own prefix, and pages for payers. */
  readonly routes: readonly Route[];
  newAccount(): Account & { readonly authenticatesWith: readonly string[] };
  /** An account as the dashboard's form wants it: every field a text. */
  credentialsOf(account: Account): Readonly<Record<string, string>>;
  /** The request a callback travels in, with its proof; made anew at each send. */
  posted(body: string, secret: string, at: Date): Posted;
  /** Where a payment's callbacks go, on a gateway where the payment itself says so. */
  endpointOf?(callback: DueCallback): Promise<Endpoint | undefined>;
  /** Whether a callback that did not arrive is sent again. */
  readonly resendsCallbacks: boolean;
  /** Finishes a step that was accepted earlier, or lets it fail. */
  settle(desk: Desk, payment: Payment, work: Work): Promise<void>;
  /** Lets the hold die; false when there is none. */
  lapse(desk: Desk, payment: Payment): Promise<boolean>;
  /** What a merchant does in the gateway's own dashboard; answered as the API would. */
  act(desk: Desk, payment: Payment, action: ExternalAction): Promise<Answer>;
}

/** Later failures come after the caller has surely seen the good news. */
export const LATER_MS = 250;
