/** How payers recognise a merchant. */
export type Brand = {
  /** Null while it was not announced. */
  readonly name: string | null;
  /** `#rrggbb`; null while the merchant has chosen none. */
  readonly color: string | null;
};
