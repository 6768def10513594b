import { ApiFailure } from './failure.ts';

/** Asks the user to prove the identity again; rejects when the user does not. */
type Ask = () => Promise<void>;

let ask: Ask | undefined;

/** Sets the function that requests a proof from now on; returns a function that takes it back. */
export function registerProof(next: Ask): () => void {
  ask = next;
  return () => {
    if (ask === next) ask = undefined;
  };
}

/**
 * Runs a request, and once more after a proof of identity when the backend requires one. Rejects with the first error
 * when no dialog can ask for a proof, or the user gives none.
 */
export async function withProof<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.param !== 'reauthenticate' || !ask) throw error;
    await ask().catch(() => {
      throw error;
    });
    return work();
  }
}
