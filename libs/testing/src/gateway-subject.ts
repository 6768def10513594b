import type { AnyClientData, Card } from '@gp/gateway-registry';

/** The fields of a form that a payer's browser posts. */
export type FormFields = Readonly<Record<string, string>>;

/** The card as the payer types it. */
export type TypedCard = { readonly holder: string; readonly number: string };

/** `embedded`: the gateway's browser library confirms the payment. */
export type EmbeddedPayer = {
  readonly flow: 'embedded';
  /** Builds the confirmation that the library posts. `path` is below the address of the sandbox. */
  readonly buildConfirmation: (
    client: AnyClientData,
    number: string,
  ) => { readonly path: string; readonly headers: FormFields; readonly fields: FormFields };
  /** Returns the address of the challenge page that the answer to a confirmation names. */
  readonly findChallenge: (answer: unknown) => string | undefined;
  /** Returns the payment in a refusal of a confirmation that was already carried out. */
  readonly findConfirmed: (refusal: unknown) => object | undefined;
};

/** `server_confirm`: a field encrypts the card, and our server authorises with it. */
export type ConfirmingPayer = {
  readonly flow: 'server_confirm';
  /** Builds the request to the sandbox that encrypts one value. `path` is below the address of the sandbox. */
  readonly buildEncryption: (
    client: AnyClientData,
    value: string,
  ) => { readonly path: string; readonly body: object };
  /** Builds the card of a confirm request. `encrypt` sends the request that `buildEncryption` builds. */
  readonly buildCard: (card: TypedCard, encrypt: (value: string) => Promise<string>) => Promise<Card>;
};

/** `redirect`: the payer leaves for the bank's page with a signed form. */
export type RedirectPayer = {
  readonly flow: 'redirect';
  /** Returns the form that the browser posts to the bank. */
  readonly findForm: (client: AnyClientData) => { readonly url: string; readonly body: FormFields };
  /** Builds what the payer enters on the card page, and on the page that asks for a code. */
  readonly buildCardFields: (number: string) => FormFields;
  readonly buildCodeFields: (code: string) => FormFields;
};

/**
 * Facts about one gateway that tests need beside its manifest; `test/subject.ts` in its folder exports it as `subject`.
 */
export type GatewaySubject = {
  readonly payer: EmbeddedPayer | ConfirmingPayer | RedirectPayer;
  readonly credentials: {
    /** The name of the credential that names the account. */
    readonly account: string;
    /** The name of the credential that the gateway checks. */
    readonly key: string;
    /** Returns another key of the same form. */
    readonly spoil: (key: string) => string;
    /** Whether a key shows the mode it is for. */
    readonly isModeVisible: boolean;
  };
  /** The events of a payment that the gateway sends no callback for. */
  readonly unreported: readonly ('lapse' | 'dispute')[];
  /** The names of the sandbox's spans when a payment is held and captured. */
  readonly spans: readonly string[];
};
