/** An amount of money; `text` has all decimals of its currency, for `Intl.NumberFormat`. */
export type Money = { readonly minor: string; readonly currency: string; readonly text: string };
