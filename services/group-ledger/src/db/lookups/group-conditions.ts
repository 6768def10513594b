/** Conditions of a list of groups that select few of them by an index of their own; null or none where not asked for. */
export type SelectiveFilter = {
  readonly state: string | null;
  readonly orderId: string | null;
  readonly reference: string | null;
  /** Lower case, as customers are stored. */
  readonly payerEmail: string | null;
  readonly payerId: string | null;
  /** Only those with a payment in dispute. */
  readonly isDisputed: boolean;
  /** Pairs of the metadata, all of which a group must have. */
  readonly pairs: readonly MetadataPair[];
};

export type MetadataPair = { readonly key: string; readonly value: string };

/**
 * A condition that is asked for: its name, its text with numbered parameters, and their values. Names are short: with all
 * of them, the name of a statement has to stay within the 63 bytes that Postgres keeps of it.
 */
export type Condition = {
  readonly name: string;
  readonly write: (number: () => string) => string;
  readonly values: readonly string[];
};

/**
 * The conditions that a filter asks for, in a fixed order. A condition that is not asked for is not in the statement: with
 * "is null or" in it, it would be no condition of its index. The indexes: groups_by_state, groups_are_told_apart_by_order_id,
 * groups_by_client_reference, customers_are_known_by_email with intents_of_a_customer, intents_disputed, and groups_by_metadata.
 */
export function listConditions({
  state,
  orderId,
  reference,
  payerEmail,
  payerId,
  isDisputed,
  pairs,
}: SelectiveFilter): readonly Condition[] {
  return [
    ...single('state', state, (at) => `state = ${at}`),
    ...single('order', orderId, (at) => `merchant_order_id = ${at}`),
    ...single('ref', reference, (at) => `client_reference = ${at}`),
    ...single(
      'email',
      payerEmail,
      (at) => `id in (select i.group_id from customers c join intents i on i.customer_id = c.id
     where c.merchant_id = $1 and c.mode = $2 and c.email = ${at})`,
    ),
    ...single(
      'payer',
      payerId,
      (at) => `id in (select i.group_id from intents i where i.customer_id = ${at}::uuid)`,
    ),
    ...(isDisputed ? [DISPUTED] : []),
    ...pairs.map(holdsPair),
  ];
}

function single(name: string, value: string | null, write: (at: string) => string): readonly Condition[] {
  return value === null ? [] : [{ name, write: (number) => write(number()), values: [value] }];
}

const DISPUTED: Condition = {
  name: 'dispute',
  write: () => 'id in (select i.group_id from intents i where i.disputed)',
  values: [],
};

/** Returns whether groups were counted by this condition before. */
export const isOfState = ({ name }: Condition): boolean => name === 'state';

/** Returns whether the planner cannot tell how few groups meet a condition. */
export const isOfUnknownRarity = ({ name }: Condition): boolean => name === 'pair' || name === 'dispute';

/** Digits that a double and Postgres read alike, and booleans; a text of a query writes them like a text. */
const LITERAL = /^(?:-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?|true|false)$/;

function holdsPair({ key, value }: MetadataPair, index: number): Condition {
  const asText = JSON.stringify({ [key]: value });
  const asLiteral = LITERAL.test(value) ? `{${JSON.stringify(key)}:${value}}` : asText;
  return {
    name: index === 0 ? 'pair' : `${index + 1}`,
    write: (number) => `(metadata @> ${number()}::jsonb or metadata @> ${number()}::jsonb)`,
    values: [asText, asLiteral],
  };
}
