import type { TProperties, TSchema } from '@gp/bundled/typebox';

/**
 * How a payer authorises. `embedded`: the gateway's own card element in our page confirms a payment that was prepared
 * with the reservation. `server_confirm`: a field in our page encrypts the card and our server authorises with it.
 * `redirect`: the payer leaves for the gateway's page with a form that we signed.
 */
export type Flow = 'embedded' | 'server_confirm' | 'redirect';

type ByMode<T> = Readonly<Record<'test' | 'live', T>>;

/** One value that a merchant enters to connect the gateway. */
export type CredentialField = {
  /** The name under which the adapter stores it. */
  readonly name: string;
  /** The label of the dashboard's input. */
  readonly label: string;
  /** A secret is written and never shown again. */
  readonly isSecret: boolean;
  /** It may be left empty. */
  readonly isOptional?: boolean;
};

/** The credentials of a gateway as its adapter gets them: every field is there, an optional one may be empty. */
export type CredentialsOf<M extends { readonly credentials: readonly CredentialField[] }> = Readonly<
  Record<M['credentials'][number]['name'], string>
>;

/** Steps in which the gateway takes amounts, in our minor units; a currency not listed is taken in steps of 1. */
export type AmountSteps = {
  readonly byCurrency?: Readonly<Record<string, number>>;
  /** By the number of decimals that ISO 4217 gives the currency; `byCurrency` goes first. */
  readonly byExponent?: Readonly<Record<number, number>>;
};

/** The facts that the ledger needs of a gateway. Times are milliseconds. */
export type LedgerFacts = {
  /** How long a payer may keep slots without finishing. */
  readonly reservationTtlMs: number;
  /** Whether a payment that was prepared can be ended before the payer acted. */
  readonly isCancellable: boolean;
  /** Whether the gateway's API refunds captured money. */
  readonly isRefundable: boolean;
  readonly amountSteps: AmountSteps;
  /** The times since the reservation at which a prepared payment without a report is queried; then hourly. */
  readonly queriesMs: readonly number[];
  /**
   * The times since the reservation at which a payment that the gateway did not know is queried again; then the
   * daily comparison.
   */
  readonly lateQueriesMs: readonly number[];
};

/**
 * The library and the hosts that a payer's browser loads. The checkout page derives its content security policy
 * from them.
 */
export type PageFacts = {
  /** The gateway's browser library, and the origins it reaches besides its own. */
  readonly library?: { readonly script: ByMode<string>; readonly origins: ByMode<readonly string[]> };
  /** In test mode the sandbox's frame may replace the library. */
  readonly hasSandboxFrame?: boolean;
  /** The bank's address that the payer's form is posted to. Only its origin counts. */
  readonly bank?: ByMode<string>;
};

/** A port of the sandbox beside its main one. */
export type SandboxPort = {
  readonly name: string;
  /** The setting of the sandbox that holds the number. */
  readonly setting: string;
  /** The number without that setting. */
  readonly number: number;
  /** The listener on the port, for the table of settings. */
  readonly about: string;
};

/** The facts that decide which faults the sandbox can simulate. */
export type SandboxBehaviour = {
  /** Whether the gateway sends a callback when a payment is prepared. */
  readonly hasPrepareCallbacks: boolean;
  /** Whether the preparation names the amount. */
  readonly hasPrepareAmount: boolean;
  /** Whether a step that was accepted can fail afterwards. */
  readonly hasLaterOutcomes: boolean;
};

/** How the sandbox simulates the gateway, and which settings point the adapter and the page to it. */
export type SandboxFacts = {
  readonly ports?: readonly SandboxPort[];
  readonly behaviour: SandboxBehaviour;
  /** Settings of the adapter: address = port (`main` or a name above) + path. */
  readonly adapterSettings: Readonly<Record<string, { readonly port: string; readonly path: string }>>;
  /** Settings of the checkout page, likewise. */
  readonly pageSettings: Readonly<Record<string, { readonly port: string; readonly path: string }>>;
};

/** Why a test card is declined, in the platform's words; each gateway has its own codes for them. */
export type DeclineReason =
  | 'generic_decline'
  | 'insufficient_funds'
  | 'lost_card'
  | 'stolen_card'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'processing_error'
  | 'card_velocity_exceeded'
  | 'authentication_failed';

/** How a test card behaves: the 3-D Secure challenge first, then the issuer's decision, then its refunds. */
export type CardBehaviour = {
  readonly isChallenged: boolean;
  readonly decline: DeclineReason | null;
  readonly refund: 'at_once' | 'later' | 'fails_later';
};

/** A test card of the gateway, for the dashboard, the docs and the sandbox. */
export type TestCard = {
  readonly number: string;
  /** The sandbox's behaviour for the number; `invalid_number` when it is no card to it. */
  readonly behaviour: CardBehaviour | 'invalid_number';
  /** The behaviour as people read it. */
  readonly outcome: string;
};
/** Built by `listTestCards`. Gateways with the same cards share the lists and may differ in the notes. */
export type TestCards = {
  readonly approved: readonly TestCard[];
  /** Cards that lead to 3-D Secure. */
  readonly challenged: readonly TestCard[];
  readonly declined: readonly TestCard[];
  readonly notes: readonly string[];
};

/**
 * Everything that the platform knows of one payment gateway: pure data and types. The adapter, the card form and
 * the sandbox part of the gateway live in the same folder; all other code reads this and branches on `flow`, never
 * on a code.
 */
export type GatewayManifest = {
  /** The wire code, under which the registry lists the manifest. */
  readonly code: string;
  /** The folder below `services/gateway-adapters/`. */
  readonly folder: string;
  /** The name that merchants and payers read. */
  readonly title: string;
  /** The real vendor whose protocol the adapter speaks. */
  readonly vendor: string;
  /** One sentence for a merchant who has to choose. */
  readonly about: string;
  readonly flow: Flow;
  readonly ledger: LedgerFacts;
  readonly credentials: readonly CredentialField[];
  /** The fields that the pay response adds for this gateway: what its card form needs. */
  readonly clientData: {
    readonly title: string;
    readonly fields: TProperties;
    /** The fields with values that a reader of the reference recognises. */
    readonly example: Readonly<Record<string, unknown>>;
    /** The client's use of the fields, in a few words for the reference. */
    readonly use: string;
  };
  /** The card that the confirm request carries; only for `server_confirm`. */
  readonly card?: TSchema;
  /** The reasons a payer reads when a field of the card does not match its pattern: reason by pattern. */
  readonly cardFaults?: Readonly<Record<string, string>>;
  readonly page: PageFacts;
  /** Ports of the gateway on the internet that the adapter calls; 443 when absent. */
  readonly internetPorts?: readonly number[];
  /** Whether payers return from the gateway's page through the adapter (`/returns/<code>/…`). */
  readonly hasReturns?: boolean;
  readonly sandbox: SandboxFacts;
  readonly testCards: TestCards;
};
