/** Columns of movements: names, and how an entry `p` with the account `f` that it came from has them. */
const COLUMNS = [
  ['merchant_id', 'g.merchant_id'],
  ['mode', 'g.mode'],
  ['at', 'p.posted_at'],
  ['id', 'p.id'],
  // The same rules as `toMovements` has for sums.
  [
    'kind',
    `case when p.account = 'group:held' then 'held'
          when p.account = 'payer:refunded' then 'refunded'
          when p.account = 'payer:authorised' and f.account = 'group:held' then 'released'
          when p.account = 'payer:authorised' then 'reversed'
          when f.account = 'payer:refunded' then 'returned'
          else 'captured' end`,
  ],
  ['is_tip', `'merchant:tips' in (p.account, f.account)`],
  ['psp_code', 'i.psp_code'],
  ['currency', 'g.currency'],
  ['amount_minor', 'p.amount_minor'],
  ['group_id', 'p.group_id'],
  ['intent_id', 'p.intent_id'],
] as const;

export const MOVEMENT_COLUMNS = COLUMNS.map(([name]) => name).join(', ');

/** Entries as movements, each by its posting of the account that received the amount; the caller adds conditions. */
export const SELECT_ENTRIES = `select ${COLUMNS.map(([name, value]) => `${value} as ${name}`).join(', ')}
   from postings p
   join postings f on f.group_id = p.group_id and f.entry_id = p.entry_id and f.amount_minor < 0
   join groups g on g.id = p.group_id join intents i on i.id = p.intent_id
   where p.amount_minor > 0`;
