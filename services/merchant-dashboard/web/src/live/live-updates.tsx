import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useMode } from '../shell/mode.ts';
import { keepFresh } from './keep-fresh.ts';

/** Keeps the screens of the mode up to date, and says so when that has not worked for long. */
export function LiveUpdates() {
  const mode = useMode();
  const queries = useQueryClient();
  const [isLost, setLost] = useState(false);
  useEffect(() => keepFresh(queries, mode, setLost), [queries, mode]);
  return (
    <div role="status" className="live-hint">
      {isLost && 'Live updates are interrupted. Trying again…'}
    </div>
  );
}
