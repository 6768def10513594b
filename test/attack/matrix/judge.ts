import type { MerchantData, World } from './world.ts';

/** Traces of the implementation that no answer may have. A random token may contain `pg_`, so a whole name has to follow. */
const INSIDES = /node_modules|\.(?:ts|js):\d+|\n\s+at |ECONN|(?<![\w-])pg_[a-z]{3}|SELECT |NatsError/;

export type Reply = { readonly status: number; readonly requestId: string | null; readonly text: string };

/** The merchant and modes whose texts an answer may contain. */
export type Visibility = {
  readonly merchant: 'mine' | 'theirs' | undefined;
  readonly modes: readonly ('test' | 'live')[];
  /** A payer's browser sees the group and nothing else of the merchant. */
  readonly isPayer?: boolean;
  /** The organiser's browser sees the link of its own page besides. */
  readonly isOrganiser?: boolean;
  /** A log of requests or of audits names the ids in its own merchant's requests, another merchant's included. */
  readonly isOwnRecord?: boolean;
};

/** Returns all faults of an answer except a wrong status. */
export function findFaults(world: World, visibility: Visibility, reply: Reply): string[] {
  const named = visibility.isOwnRecord === true ? listNamed(world) : [];
  const faults = findForeign(world, visibility).filter(
    (text) => reply.text.includes(text) && !named.includes(text),
  );
  return [
    ...faults.map((text) => `shows ${text}`),
    ...(INSIDES.test(reply.text) ? [`shows the implementation: ${reply.text.slice(0, 200)}`] : []),
    ...(/^req_/.test(reply.requestId ?? '') ? [] : ['has no Request-Id']),
  ];
}

/** The ids that the matrix itself names in its paths. */
const listNamed = ({ mine }: World): string[] =>
  [mine.test, mine.live].flatMap(({ group, hook, eventId, customerId }) => [
    group.group_payment.id,
    ...Object.values(hook),
    eventId,
    customerId,
  ]);

/** Texts that must not be in an answer. */
function findForeign(
  { mine, theirs, team }: World,
  { merchant, modes, isPayer, isOrganiser }: Visibility,
): string[] {
  const ofMode = (of: MerchantData, name: 'mine' | 'theirs') =>
    (['test', 'live'] as const).flatMap((mode) => {
      const { shown, hidden, organiserToken } = of[mode];
      if (merchant !== name || !modes.includes(mode)) return [...shown, ...hidden];
      if (isOrganiser === true) return hidden.filter((text) => text !== organiserToken);
      return isPayer === true ? hidden : [];
    });
  const people = Object.values(team).map(({ email }) => email);
  const listForbidden = (of: MerchantData, name: 'mine' | 'theirs', emails: string[]) => [
    ...ofMode(of, name),
    ...(merchant === name ? [] : [of.merchant.merchant_id]),
    ...(merchant === name && isPayer !== true ? [] : emails),
  ];
  return [
    ...listForbidden(mine, 'mine', [mine.merchant.email, ...people]),
    ...listForbidden(theirs, 'theirs', [theirs.merchant.email]),
  ];
}
