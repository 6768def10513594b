import { formatEnd } from '../clock/format-end.ts';
import type { OrganiserView } from './model.ts';

/** Returns an end as the clock of the page writes it. */
export function writeEnd(
  { model, locale }: Pick<OrganiserView, 'model' | 'locale'>,
  expiresAt: string,
): string {
  const zone = model.isRunning.value ? {} : { timeZone: 'UTC', timeZoneName: 'short' as const };
  return formatEnd(new Date(expiresAt), new Date(model.now.value), locale, zone);
}
