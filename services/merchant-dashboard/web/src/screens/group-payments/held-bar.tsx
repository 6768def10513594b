import type { GroupMoney, Money } from '../../../../src/http/api.ts';
import { formatMoney, computeShare } from '../../format/money.ts';

type Props = { readonly total: Money; readonly money: GroupMoney };

/** Shows the held and the captured parts of the total; screen readers get the amounts in words. */
export function HeldBar({ total, money }: Props) {
  const { held, captured, refunded } = money;
  const words = `${formatMoney(held)} held, ${formatMoney(captured)} captured of ${formatMoney(total)}`;
  const label = refunded.minor === '0' ? words : `${words}, ${formatMoney(refunded)} refunded`;
  return (
    <span className="held-bar" role="img" aria-label={label} title={label}>
      <span data-part="captured" style={{ width: percent(computeShare(captured, total)) }} />
      <span data-part="held" style={{ width: percent(computeShare(held, total)) }} />
    </span>
  );
}

const percent = (share: number): string => `${Math.min(share, 1) * 100}%`;
