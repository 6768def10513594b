import { useState } from 'react';
import { findFieldFault } from '../../api/field-fault.ts';

/**
 * Runs one action at a time and keeps its error. It is not a mutation: before the login, a 401 is handled like any
 * other response and does not redirect to the login.
 */
export function useAct() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const act = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  /** Returns the fault of one field, for the line below it. */
  const findFault = (param: string): string | undefined => findFieldFault(error, param) ?? undefined;
  return { act, isBusy, error, findFault };
}

/** Returns the secret of the link that was followed. It stands behind `#`, which browsers send to no server. */
export function tokenOfLink(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';
}
