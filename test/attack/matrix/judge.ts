import type { House, World } from './world.ts';

/** Traces of our insides that no answer may have. */
const INSIDES = /node_modules|\.(?:ts|js):\d+|\n\s+at |ECONN|pg_|SELECT |NatsError/;

export type Reply = { readonly status: number; readonly requestId: string | null; readonly text: string };

/** Whose texts an answer may contain. */
export type Sight = {
  readonly house: 'mine' | 'theirs' | undefined;
  readonly modes: readonly ('test' | 'live')[];
  /** A payer's browser sees the group and nothing else of the merchant. */
  readonly isPayer?: boolean;
  /** An audit log shows what its own people asked for, also where it was not theirs. */
  readonly isOwnRecord?: boolean;
};

/** Everything that is wrong with an answer beside its status. */
export function findFaults(world: World, sight: Sight, reply: Reply): string[] {
  const named = sight.isOwnRecord === true ? listNamed(world) : [];
  const faults = findForeign(world, sight).filter(
    (text) => reply.text.includes(text) && !named.includes(text),
  );
  return [
    ...faults.map((text) => `shows ${text}`),
    ...(INSIDES.test(reply.text) ? [`tells of our insides: ${reply.text.slice(0, 200)}`] : []),
    ...(/^req_/.test(reply.requestId ?? '') ? [] : ['has no Request-Id']),
  ];
}

/** The ids that the matrix itself names in its paths. */
const listNamed = ({ mine }: World): string[] =>
  [mine.test, mine.live].flatMap(({ group, hook, eventId }) => [
    group.group_payment.id,
    ...Object.values(hook),
    eventId,
  ]);

/** Texts that must not be in an answer. */
function findForeign({ mine, theirs, team }: World, { house, modes, isPayer }: Sight): string[] {
  const ofMode = (of: House, name: 'mine' | 'theirs') =>
    (['test', 'live'] as const).flatMap((mode) => {
      const { shown, hidden } = of[mode];
      if (house !== name || !modes.includes(mode)) return [...shown, ...hidden];
      return isPayer === true ? hidden : [];
    });
  const people = Object.values(team).map(({ email }) => email);
  const ofHouse = (of: House, name: 'mine' | 'theirs', emails: string[]) => [
    ...ofMode(of, name),
    ...(house === name ? [] : [of.merchant.merchant_id]),
    ...(house === name && isPayer !== true ? [] : emails),
  ];
  return [
    ...ofHouse(mine, 'mine', [mine.merchant.email, ...people]),
    ...ofHouse(theirs, 'theirs', [theirs.merchant.email]),
  ];
}
