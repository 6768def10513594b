import { fileURLToPath } from 'node:url';
import { startService, type ServiceProcess } from '@gp/testing';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export type EdgeProcess = ServiceProcess;

/** Starts the edge with this environment and nothing of ours. */
export const startProcess = (env: Readonly<Record<string, string>>): EdgeProcess => startService(main, env);
