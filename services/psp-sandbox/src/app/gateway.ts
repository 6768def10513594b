import type { ClientData } from '@gp/contracts';
import type { Card } from '@gp/gateway-registry';
import type { HttpRequest, HttpResponse, Route } from '@gp/http';
import type { Logger } from '@gp/telemetry';
import type { TestCardInput } from '../domain/payer.ts';
import type { Payment, Work } from '../domain/payment.ts';
import type { PlayCall } from './play-call.ts';
import type { Account, Accounts, Answer, Books, BooksTransaction, DueCallback, Endpoint } from './ports.ts';

/** `win_dispute` ends an open dispute in the merchant's favour. */
export type ExternalAction = 'capture' | 'refund' | 'void' | 'dispute' | 'win_dispute';

/** The dependencies of a played gateway. */
export type Stage = {
  readonly books: Books;
  readonly accounts: Accounts;
  readonly playCall: PlayCall;
  readonly clock: () => Date;
  /** The address at which payers' browsers reach the sandbox. */
  readonly publicUrl: string;
  /** How long a gateway that accepts steps for later takes to finish them. */
  readonly confirmationDelayMs: number;
};

export type CallbackRequest = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** Builds a callback with a JSON body and the proof of its origin in headers. */
export const buildJsonRequest = (body: string, proof: Readonly<Record<string, string>>): CallbackRequest => ({
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...proof },
  body,
});

export type ServerOptions = {
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** `host:port` of every server that a proxy of the sandbox may connect to. */
  readonly destinations: ReadonlySet<string>;
};

/** A server on a port of its own, which the manifest of the gateway declares under `sandbox.ports`. */
export type PlayedServer = {
  /** The name of the port in the manifest. */
  readonly port: string;
  /** Starts the server; resolves when it listens. Rejects when the port is taken. */
  open(o: ServerOptions): Promise<{ readonly port: number; close(): Promise<void> }>;
};

/** A payer whom the sandbox plays. `signal` aborts when nobody waits for the payment any more. */
export type PlayedPayer = {
  readonly name: string;
  readonly card: TestCardInput;
  /** Whether the payer passes 3-D Secure. */
  readonly isAuthentic: boolean;
  readonly signal: AbortSignal;
};

/** One gateway of the sandbox: what `play` in `sandbox/index.ts` of the gateway's folder returns. */
export interface PlayedGateway {
  /** The API on the main port, under the gateway's own prefix, pages for payers, and what those pages load. */
  readonly routes: readonly Route[];
  readonly servers?: readonly PlayedServer[];
  /** Tools for testers that only this gateway needs: `POST /control/<code>/<name>`. */
  readonly controls?: Readonly<Record<string, (request: HttpRequest) => Promise<HttpResponse>>>;
  newAccount(): Account & { readonly authenticatesWith: readonly string[] };
  /** The fields of an account that the dashboard's form asks for, each as text. */
  listCredentials(account: Account): Readonly<Record<string, string>>;
  /** Builds the request of a callback with its proof; called anew for each delivery. */
  buildRequest(body: string, secret: string, at: Date): CallbackRequest;
  /** Finds the endpoint of a callback, on a gateway where each payment names its own. */
  findEndpoint?(callback: DueCallback): Promise<Endpoint | undefined>;
  /** Whether a callback that did not arrive is sent again. */
  readonly resendsCallbacks: boolean;
  /** Finishes a step that was accepted earlier, or lets it fail. */
  settle(tx: BooksTransaction, payment: Payment, work: Work): Promise<void>;
  /** Ends the hold as the gateway does when it expires; returns false when there is none. */
  lapse(tx: BooksTransaction, payment: Payment): Promise<boolean>;
  /** Does what a merchant can do in the gateway's own dashboard; returns the answer of the API. */
  act(tx: BooksTransaction, payment: Payment, action: ExternalAction): Promise<Answer>;
  /**
   * Does with the fields of a pay response what a payer's browser does, and returns the encrypted card on a gateway where
   * a server authorises with it. Played again it places no second hold. Rejects with `not_found` for a payment of no
   * account here; a gateway that fails or declines is no error.
   */
  pay(client: ClientData, payer: PlayedPayer): Promise<Card | undefined>;
  /** Answers the issuer's page at this address, on a gateway that names such a page to our servers. */
  authenticate?(page: URL, payer: Pick<PlayedPayer, 'isAuthentic' | 'signal'>): Promise<void>;
}

export type PlayGateway = (stage: Stage) => PlayedGateway;

/** Failures that come later are sent after the caller has certainly read the first answer. */
export const LATER_MS = 250;
