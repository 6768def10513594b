import { ExactNumber } from '@gp/money';

/** A parsed body: `T` in which every number keeps its source text. */
export type Exact<T> = T extends number
  ? ExactNumber
  : T extends readonly (infer Item)[]
    ? readonly Exact<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Exact<T[K]> }
      : T;

/** A body in two forms: with ordinary numbers for validators, and exact for money. */
export type Body<T> = { readonly plain: T; readonly exact: Exact<T> };

/**
 * Returns the same value with ordinary numbers. Keys are defined, never assigned, so that one named `__proto__`
 * stays an ordinary key.
 */
export function toPlain(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.toNumber();
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item)]));
}
