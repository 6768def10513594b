import type { TestClock } from '../../../src/http/api.ts';
import { useRead } from '../api/mode-api.ts';
import { useMode } from '../shell/mode.ts';
import { Distance } from './instant.tsx';

/** How far an instant is from the merchant's now: in test mode the test clock's. */
export function DistanceFromNow({ to }: { to: string }) {
  const clock = useRead<TestClock>('/clock', { enabled: useMode() === 'test' });
  const aheadMs = (clock.data?.ahead_seconds ?? 0) * 1_000;
  return <Distance to={to} from={new Date(new Date().getTime() + aheadMs)} />;
}
