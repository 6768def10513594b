import type { CustomerItem, ListedGroupPayment } from '../../../../src/http/api.ts';
import { formatMoney } from '../../format/money.ts';
import { formatState } from '../../parts/tone.ts';
import { formatTitle } from '../../screens/customers/customer-name.ts';
import { screens } from '../../screens.ts';
import type { Mode } from '../mode.ts';

/** A place to which the search leads. */
export type Destination = {
  readonly kind: 'Group payment' | 'Customer' | 'Request' | 'Event' | 'Page';
  readonly title: string;
  readonly detail: string;
  readonly to: string;
};

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** So many group payments and customers are shown; the list of group payments has all. */
const MOST = 6;

/** Returns the screens of a mode whose title has a text; without a text, none. */
export function listScreens(mode: Mode, text: string): Destination[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  return screens
    .filter(({ path, nav }) => !path.includes(':') && (mode === 'test' || nav?.testOnly !== true))
    .filter(({ title }) => title.toLowerCase().includes(wanted))
    .map(({ path, title }) => ({
      kind: 'Page',
      title,
      detail: '',
      to: path ? `/${mode}/${path}` : `/${mode}`,
    }));
}

/** Returns where an id leads that names no group payment: the log of requests, or an event. */
export function listLookUps(mode: Mode, text: string): Destination[] {
  const wanted = text.trim();
  if (wanted.startsWith('req_'))
    return [
      {
        kind: 'Request',
        title: wanted,
        detail: '',
        to: `/${mode}/requests?request_id=${encodeURIComponent(wanted)}`,
      },
    ];
  if (ID.test(wanted))
    return [
      { kind: 'Event', title: wanted, detail: 'if an event has this id', to: `/${mode}/events/${wanted}` },
    ];
  return [];
}

type Found = {
  readonly group_payments: readonly ListedGroupPayment[];
  readonly customers: readonly CustomerItem[];
};

/** Returns what the backend found for a text: group payments first, then customers. */
export function listFound(mode: Mode, { group_payments, customers }: Found): Destination[] {
  return [
    ...group_payments.slice(0, MOST).map((group): Destination => ({
      kind: 'Group payment',
      title: group.group_name,
      detail: [
        formatMoney(group.total),
        formatState(group.state),
        group.client_reference ?? group.merchant_order_id,
      ].join(' · '),
      to: `/${mode}/group-payments/${group.id}`,
    })),
    ...customers.slice(0, MOST).map((customer): Destination => ({
      kind: 'Customer',
      title: formatTitle(customer),
      detail: customer.email,
      to: `/${mode}/customers/${customer.id}`,
    })),
  ];
}
