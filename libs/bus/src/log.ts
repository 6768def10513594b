/** The two levels that the bus logs at; a pino logger fits. Fields never hold payloads. */
export type BusLog = {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

export const silent: BusLog = { warn: () => undefined, error: () => undefined };
