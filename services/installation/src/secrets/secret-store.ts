/** A secret as its store has it; `version` names this state of it. */
export type StoredSecret = { readonly version: string; readonly values: Readonly<Record<string, string>> };

/** Where an installation keeps its secrets. Every function rejects with the store's own words when it refuses. */
export type SecretStore = {
  /** Returns undefined for a secret that does not exist. */
  find(name: string): Promise<StoredSecret | undefined>;
  /** Makes a secret. Returns false when somebody else has made it meanwhile. */
  create(name: string, values: Readonly<Record<string, string>>): Promise<boolean>;
  /** Adds keys to a secret. Returns false when it has changed since `version`. */
  extend(name: string, version: string, values: Readonly<Record<string, string>>): Promise<boolean>;
};
