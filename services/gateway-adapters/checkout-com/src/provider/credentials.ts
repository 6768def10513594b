export type Credentials = {
  readonly team_id: string;
  readonly app_id: string;
  readonly relay_api_key: string;
  readonly processor_secret_key: string;
  readonly processing_channel_id: string;
  readonly webhook_secret: string;
};
