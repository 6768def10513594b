import type { CustomerItem } from '../../../../src/http/api.ts';

type Named = Pick<CustomerItem, 'email' | 'name'>;

/** No mail is ever delivered under `.invalid`: the address of a customer whose data were erased. */
const ERASED = /@erased\.invalid$/;

/** Returns a customer's name, and what to call one without. */
export function formatName({ email, name }: Named): string {
  return ERASED.test(email) ? 'erased' : (name ?? 'no name');
}

/** Returns the heading of a customer's page: the name, else the address. */
export function formatTitle(customer: Named): string {
  return ERASED.test(customer.email) ? 'Erased customer' : (customer.name ?? customer.email);
}
