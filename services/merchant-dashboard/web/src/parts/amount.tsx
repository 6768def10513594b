import type { Money } from '../../../src/http/api.ts';
import { formatMoney } from '../format/money.ts';

/** Shows an amount in the viewer's locale, never broken over two lines; exact on hover. */
export function Amount({ of }: { of: Money }) {
  return (
    <data value={of.text} title={`${of.text} ${of.currency}`} className="amount">
      {formatMoney(of)}
    </data>
  );
}
