import type { PayRequest } from '../net/api.ts';

/** A payment of this payer that was begun in this tab. */
export type Begun = {
  /** The Idempotency-Key of the request to pay: sent again after a reload, it resumes and never repeats. */
  readonly key: string;
  readonly request: PayRequest;
  /** Known once the server has answered. */
  readonly intentId?: string;
  /** The card, or the payer himself, was sent to the bank: ask what became of it before anything else. */
  readonly isSubmitted?: true;
};

/** A payment of this payer that is held or more. */
export type Made = { readonly intentId: string; readonly slotIds: readonly string[] };

/** What survives a reload. Never a card, a token or a client secret. */
export type Saved = {
  readonly selected: readonly string[];
  readonly email: string;
  readonly name: string;
  readonly begun?: Begun;
  readonly made: readonly Made[];
};

const NOTHING: Saved = { selected: [], email: '', name: '', made: [] };

export type Store = { load(): Saved; save(saved: Saved): void };

/** The tab's own memory of one group; a browser that keeps none is treated as one that forgets. */
export function tabStore(groupId: string, storage: () => Storage = () => sessionStorage): Store {
  const key = `group-payment:${groupId}`;
  return {
    load() {
      try {
        return { ...NOTHING, ...(JSON.parse(storage().getItem(key) ?? '{}') as Partial<Saved>) };
      } catch {
        return NOTHING;
      }
    },
    save(saved) {
      try {
        storage().setItem(key, JSON.stringify(saved));
      } catch {
        // Private windows of some browsers keep nothing. The page works, and forgets.
      }
    },
  };
}
