import type { CardForm, StartedBy } from '@gp/checkout-web/gateways';

/** A card in the form the API expects: its secret parts were encrypted before they reached this page. */
export type EncryptedCard = {
  readonly encrypted_card_number: string;
  readonly encrypted_security_code: string;
  readonly expiration_month: number;
  readonly expiration_year: number;
};

export type EncryptedField = Pick<CardForm, 'mount' | 'unmount'> & {
  /**
   * Returns the card that was typed; undefined when something is missing or wrong, which the field then shows. Rejects when
   * the field does not answer or cannot encrypt.
   */
  read(): Promise<EncryptedCard | undefined>;
};

export type FieldIds = Pick<StartedBy<'gateway_b'>, 'card_field_team_id' | 'card_field_app_id'>;
