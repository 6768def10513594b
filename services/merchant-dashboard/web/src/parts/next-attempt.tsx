import { isOverdue } from '../format/instant.ts';
import { Distance } from './instant.tsx';

/** When a delivery is attempted next. One that is overdue waits, because its endpoint did not answer the others. */
export function NextAttempt({ at, now = new Date() }: { at: string; now?: Date }) {
  if (isOverdue(at, now)) return 'waits until the endpoint answers again';
  return (
    <>
      next <Distance to={at} from={now} />
    </>
  );
}
