export { currencies, findCurrency } from './currency.ts';
export type { Currency } from './currency.ts';
export { formatMinor, maxMinor, maxPaymentMinor, parseMinor } from './minor.ts';
export type { ParsedMinor } from './minor.ts';
export { allocate } from './allocate.ts';
export {
  ExactNumber,
  isStorable,
  maxDepth,
  parseJsonExact,
  rawNumber,
  UnstorableJsonError,
} from './exact-json.ts';
