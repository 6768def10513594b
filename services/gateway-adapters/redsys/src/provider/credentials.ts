export type Credentials = {
  readonly merchant_code: string;
  readonly terminal: string;
  readonly secret_key: string;
  /** Where the merchant wants his payers back; empty for nowhere. */
  readonly return_url: string;
  /** Which way his terminal signs; empty for the usual one. */
  readonly signature_version: string;
};
