/** The labels of fields whose name in the API is another one; `#` is the place of a row, counted from 1. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['allowed_addresses', 'Addresses'],
  ['brand_color', 'Colour'],
  ['capture_at_expiry', 'Minimum to capture when time runs out'],
  ['capture_at_expiry.minimum_amount', 'Minimum to capture when time runs out'],
  ['capture_at_expiry.minimum_slots', 'Minimum to capture when time runs out'],
  ['event_types', 'Events'],
  ['expires_in_seconds', 'Time to pay'],
  ['group_name', 'Name'],
  ['max_tip', 'Tip'],
  ['number_of_slots', 'Slots'],
  ['organiser.may', 'An organiser may'],
  ['origins.#', 'Origin'],
  ['scopes', 'Rights'],
  ['slots.#.amount', 'Amount of slot #'],
  ['slots.#.label', 'Label of slot #'],
  ['support_email', 'E-mail for questions'],
  ['support_url', 'Help page'],
  ['tips.max_amount', 'Tip'],
  ['total_amount', 'Total'],
  ['url', 'URL'],
]);

/** Returns the label of a field, or its name in words: `slots.0.amount` as `Amount of slot 1`. */
function nameField(param: string): string {
  const label = LABELS.get(param.replace(/\d+/, '#')) ?? param.replaceAll(/[._]/g, ' ');
  return label.replace('#', String(Number(/\d+/.exec(param)?.[0]) + 1));
}

/** Returns a message of the backend in the words of the form: of a fault in a field, its label and the reason. */
export function readMessage(message: string): { readonly field?: string; readonly reason: string } {
  const [, param, told = message] = /^Validation error: ([^:]*): (.*)$/s.exec(message) ?? [];
  if (param === undefined) return { reason: told };
  const reason = told.replaceAll(/\w+/g, (word) =>
    word.includes('_') && LABELS.has(word) ? `“${nameField(word)}”` : word,
  );
  return { field: nameField(param), reason };
}
