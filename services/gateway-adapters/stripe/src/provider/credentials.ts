export type Credentials = {
  readonly account_id: string;
  readonly secret_key: string;
  readonly publishable_key: string;
  readonly webhook_secret: string;
};
