import type { CardFormParts } from '@gp/checkout-web/gateways';
import type { EncryptedField, FieldIds } from './encrypted-field.ts';

/** The used part of the vendor's browser library, whose interface we cannot change. */
type Values = {
  readonly isComplete: boolean;
  readonly isValid: boolean | null;
  readonly card: {
    readonly number: string | null;
    readonly cvc: string | null;
    readonly expiry: { readonly month: string | null; readonly year: string | null };
  };
};
type VendorCard = {
  readonly values: Values;
  mount(place: HTMLElement): void;
  on(event: 'ready' | 'error', listener: () => void): void;
  validate(): void;
  unmount(): void;
};
type Vendor = new (
  team: string,
  app: string,
) => {
  readonly ui: { card(options: Record<string, unknown>): VendorCard };
};

const READY_MS = 20_000;

/** Opens the vendor's own card field, as in live mode. */
export function vendorField(
  script: string,
  ids: FieldIds,
  loadScript: CardFormParts['loadScript'],
): EncryptedField {
  let card: VendorCard | undefined;
  return {
    async mount(place, { style, locale }) {
      await loadScript(script);
      const { Evervault } = window as { Evervault?: Vendor };
      if (!Evervault) throw new Error('no card library');
      const vendor = new Evervault(ids.card_field_team_id, ids.card_field_app_id);
      card = vendor.ui.card({
        locale,
        fields: ['number', 'expiry', 'cvc'],
        theme: { styles: { input: { color: style.color, fontFamily: style.font, fontSize: '16px' } } },
      });
      await mounted(card, place);
    },
    read() {
      if (!card?.values.isComplete || card.values.isValid === false) {
        card?.validate();
        return Promise.resolve(undefined);
      }
      const { number, cvc, expiry } = card.values.card;
      return Promise.resolve({
        encrypted_card_number: number ?? '',
        encrypted_security_code: cvc ?? '',
        expiration_month: Number(expiry.month),
        expiration_year: fullYear(Number(expiry.year)),
      });
    },
    unmount: () => card?.unmount(),
  };
}

/** Returns the full year; the vendor's field gives the last two digits. */
const fullYear = (year: number): number => (year < 100 ? 2_000 + year : year);

function mounted(card: VendorCard, place: HTMLElement): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new Error('no card field'));
    setTimeout(fail, READY_MS);
    card.on('ready', resolve);
    card.on('error', fail);
    card.mount(place);
  });
}
