import type { CardForm, StartedBy } from '@gp/checkout-web/gateways';

/** A card as the API wants it: what is secret of it was encrypted before this page ever saw it. */
export type EncryptedCard = {
  readonly encrypted_card_number: string;
  readonly encrypted_security_code: string;
  readonly expiration_month: number;
  readonly expiration_year: number;
};

export type EncryptedField = Pick<CardForm, 'mount' | 'focus' | 'unmount'> & {
  /** The card that was typed in; undefined when something is missing or wrong, and the field says what. */
  read(): Promise<EncryptedCard | undefined>;
};

export type FieldIds = Pick<StartedBy<'gateway_b'>, 'card_field_team_id' | 'card_field_app_id'>;
