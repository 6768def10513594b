import { useState } from 'react';
import { ApiFailure } from '../../api/failure.ts';

/**
 * Runs one thing at a time, and keeps what went wrong. Not a mutation: before the login, a 401 is an answer like any
 * other and no reason to lead to the login.
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
  /** What is wrong with one field, for the line below it. */
  const faultOf = (param: string): string | undefined =>
    error instanceof ApiFailure && error.code === 'validation_error' && error.param === param
      ? sentence(error.message)
      : undefined;
  return { act, isBusy, error, faultOf };
}

/** `Validation error: password: must have …` → `Must have …` */
function sentence(message: string): string {
  const text = message.replace(/^Validation error: [^:]*: /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The secret of the link that led here. It stands behind `#`, which browsers send to no server. */
export function tokenOfLink(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';
}
