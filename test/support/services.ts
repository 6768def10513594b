import { services as specs } from '@gp/stack';

/** The names of our own processes, as opposed to the servers beside them. */
export const services: readonly string[] = specs.map(({ name }) => name);
