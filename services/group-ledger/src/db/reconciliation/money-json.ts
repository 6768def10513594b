import type { PaymentMoney } from '../../domain/index.ts';
import type { MoneyJson } from './reconciliations.ts';

/** Money as JSON holds it: a bigint is text there. */
export function moneyJson({ heldMinor, capturedMinor, refundedMinor }: PaymentMoney): MoneyJson {
  return { held: String(heldMinor), captured: String(capturedMinor), refunded: String(refundedMinor) };
}

export function moneyFromJson({ held, captured, refunded }: MoneyJson): PaymentMoney {
  return { heldMinor: BigInt(held), capturedMinor: BigInt(captured), refundedMinor: BigInt(refunded) };
}
