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
};

/** A payment of this payer that is or was held. */
export type Made = { readonly intentId: string; readonly slotIds: readonly string[] };

/** The state that survives a reload. Never a card, a token or a client secret. */
export type Saved = {
  readonly selected: readonly string[];
  readonly email: string;
  readonly name: string;
  readonly begun?: Begun;
  readonly made: readonly Made[];
};

const NOTHING: Saved = { selected: [], email: '', name: '', made: [] };

export type Store = { load(): Saved; save(saved: Saved): void };

/** Returns the tab's own storage of one group; a browser without storage behaves like an empty one. */
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
        // Private windows of some browsers store nothing. The page works without it.
      }
    },
  };
}
