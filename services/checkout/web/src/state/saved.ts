import type { PayRequest } from '../net/api.ts';

/** A payment of this payer that was begun in this tab. */
export type Begun = {
  /** The Idempotency-Key of the request to pay: sent again after a reload, it resumes and never pays twice. */
  readonly key: string;
  readonly request: PayRequest;
  /** Set once the server has answered. */
  readonly intentId?: string;
  /** The card was sent, or the payer left for the bank: read the payment's status before anything else. */
  readonly isSubmitted?: true;
  /** The bank's page that waits for the payer of a submitted card. The tab alone keeps it. */
  readonly bankUrl?: string | undefined;
};

/** A payment of this payer that is or was held. */
export type Made = {
  readonly intentId: string;
  readonly slotIds: readonly string[];
  /** The tip in it, currency units. */
  readonly tip?: number | undefined;
};

/**
 * Returns when a payment was begun, epoch ms by the server's clock: its id is a UUID of version 7, whose first 48 bits are
 * that instant. Undefined for another id.
 */
export function findBeginning(intentId: string): number | undefined {
  const [, high = '', low = ''] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(intentId) ?? [];
  return high === '' ? undefined : Number.parseInt(high + low, 16);
}

/** The state that survives a reload. Never a card, a token or a client secret. */
export type Saved = {
  readonly selected: readonly string[];
  /** The number of the slot that the page's link was for. */
  readonly slot?: number | undefined;
  readonly email: string;
  readonly name: string;
  readonly begun?: Begun | undefined;
  readonly made: readonly Made[];
};

export const NOTHING: Saved = { selected: [], email: '', name: '', made: [] };

export type Store = {
  load(): Saved;
  /** Returns the payments that the device knows by now, those of other tabs included. */
  made(): readonly Made[];
  save(saved: Saved): void;
  /** Removes everything about the payer from this browser. */
  forget(): void;
};

/** What a device stores of a payer: payments that were made, and the one that is reserved or under way. `at`: the time of storing, epoch ms. */
type Remembered = Omit<Saved, 'selected' | 'slot'> & { readonly at: number };

const PREFIX = 'group-payment:';
/** Longer than a bill can be open and refunds are usual; what is older is removed at the next visit of any bill. */
const REMEMBERED_MS = 90 * 86_400_000;

type Storages = { readonly tab: () => Storage; readonly device: () => Storage };

/**
 * Returns the browser's storage of one group. The tab keeps the choice and the payment under way; the device keeps what
 * was paid or is reserved, so that a payer whose tab was closed is known again. A browser without storage behaves like an empty one.
 */
export function payerStore(
  groupId: string,
  { tab, device }: Storages = { tab: () => sessionStorage, device: () => localStorage },
): Store {
  const key = PREFIX + groupId;
  let last: Saved = NOTHING;

  const known = (): Remembered | undefined => read<Remembered>(device, key);
  const made = (): readonly Made[] => known()?.made ?? [];
  return {
    made,
    load() {
      removeOld(device);
      const own = read<Partial<Saved>>(tab, key);
      const { at: _since, ...remembered } = known() ?? { at: 0 };
      last = { ...NOTHING, ...remembered, ...own };
      if (own?.made) last = { ...last, made: unite(made(), own.made) };
      return last;
    },
    save(saved) {
      write(tab, key, saved);
      const { email, name, begun } = saved;
      const before = known();
      // Another tab may have paid or begun something meanwhile: only what this tab itself dropped is removed.
      const dropped = last.made.filter(({ intentId }) => lacks(saved.made, intentId));
      const others = made().filter(({ intentId }) => lacks(dropped, intentId));
      const theirs = before?.begun?.key === last.begun?.key ? undefined : before?.begun;
      const kept = begun?.intentId !== undefined ? { ...begun, bankUrl: undefined } : theirs;
      const all = unite(others, saved.made);
      last = saved;
      if (all.length === 0 && !kept) remove(device, key);
      else
        write(device, key, {
          email,
          name,
          made: all,
          begun: kept,
          at: before?.at ?? Date.now(),
        });
    },
    forget() {
      last = NOTHING;
      remove(tab, key);
      remove(device, key);
    },
  };
}

/** Returns both lists as one, each payment once. */
function unite(some: readonly Made[], others: readonly Made[]): readonly Made[] {
  return [...some.filter(({ intentId }) => lacks(others, intentId)), ...others];
}

const lacks = (some: readonly Made[], id: string): boolean => some.every(({ intentId }) => intentId !== id);

function read<T>(storage: () => Storage, key: string): T | undefined {
  return attempt(() => JSON.parse(storage().getItem(key) ?? '') as T);
}

const write = (storage: () => Storage, key: string, value: unknown): void =>
  attempt(() => storage().setItem(key, JSON.stringify(value)));

const remove = (storage: () => Storage, key: string): void => attempt(() => storage().removeItem(key));

function removeOld(device: () => Storage): void {
  const isOld = (key: string): boolean =>
    !((read<Remembered>(device, key)?.at ?? 0) > Date.now() - REMEMBERED_MS);
  attempt(() => {
    for (const key of Object.keys(device())) if (key.startsWith(PREFIX) && isOld(key)) remove(device, key);
  });
}

/** Private windows of some browsers store nothing. The page works without it. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
