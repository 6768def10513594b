import type { MerchantSettings } from '@gp/contracts';

/** How payers recognise a merchant, and whom they may ask. */
export type Brand = {
  /** Null while it was not announced. */
  readonly name: string | null;
  /** `#rrggbb`; null while the merchant has chosen none. */
  readonly color: string | null;
  /** Undefined while the merchant has none. */
  readonly logo?: BrandLogo | undefined;
  /** Undefined while the merchant names nobody. */
  readonly support?: Support | undefined;
};

/** Whom payers may ask: an e-mail address, a page of `https:`, or both. */
export type Support = { readonly email?: string; readonly url?: string };

/** A logo by the name of its file, with its size in pixels. */
export type BrandLogo = { readonly file: string; readonly width: number; readonly height: number };

/**
 * Returns whom payers may ask; undefined where the merchant names nobody. The page is written as browsers resolve it, so that
 * letters of another script are seen, and is left out where it is not of `https:`.
 */
export function toSupport({
  support_email: email,
  support_url: url,
}: Pick<MerchantSettings, 'support_email' | 'support_url'>): Support | undefined {
  const page = URL.parse(url);
  const support = { ...(email && { email }), ...(page?.protocol === 'https:' && { url: page.href }) };
  return Object.keys(support).length > 0 ? support : undefined;
}
