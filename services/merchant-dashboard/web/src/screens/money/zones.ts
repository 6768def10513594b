import { findTimeZone } from '@gp/primitives';

/** The time zone of the device, in which the dashboard writes times; UTC where a server cannot know it by its name. */
export const DEVICE_ZONE = findTimeZone(new Intl.DateTimeFormat().resolvedOptions().timeZone) ?? 'UTC';

/** The time zones that pages of money offer: that of the device, with which they begin, and UTC. */
export const ZONES: readonly string[] = [...new Set([DEVICE_ZONE, 'UTC'])];
