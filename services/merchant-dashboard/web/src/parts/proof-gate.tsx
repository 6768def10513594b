import { lazy, Suspense, useEffect, useState } from 'react';
import { registerProof } from '../api/proof-gate.ts';

const ProofDialog = lazy(() => import('./proof-dialog.tsx'));

type Waiting = { readonly resume: () => void; readonly abandon: (reason: unknown) => void };

/**
 * Asks for the password, a code or a passkey whenever the backend requires a fresh proof of identity; the requests that wait
 * for it go on together.
 */
export function ProofGate() {
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  useEffect(
    () =>
      registerProof(
        () => new Promise<void>((resume, abandon) => setWaiting((all) => [...all, { resume, abandon }])),
      ),
    [],
  );
  const close = (end: (one: Waiting) => void): void => {
    setWaiting([]);
    for (const one of waiting) end(one);
  };
  if (waiting.length === 0) return null;
  return (
    <Suspense>
      <ProofDialog
        onProved={() => close(({ resume }) => resume())}
        onCancel={() => close(({ abandon }) => abandon(new Error('no proof was given')))}
      />
    </Suspense>
  );
}
