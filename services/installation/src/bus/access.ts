import type { BusAccess } from '@gp/bus';

/** What the tasks of an installation do on the bus: they create the streams. */
export const access: BusAccess = { name: 'installation', ownsStreams: true };
