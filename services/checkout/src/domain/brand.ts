/** How payers recognise a merchant. */
export type Brand = {
  /** Null while it was not announced. */
  readonly name: string | null;
  /** `#rrggbb`; null while the merchant has chosen none. */
  readonly color: string | null;
  /** Undefined while the merchant has none. */
  readonly logo?: BrandLogo | undefined;
};

/** A logo by the name of its file, with its size in pixels. */
export type BrandLogo = { readonly file: string; readonly width: number; readonly height: number };
