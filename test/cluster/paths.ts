import { dirname, join } from 'node:path';

/** The checkout. */
export const root = join(import.meta.dirname, '../..');
/** Files of the test itself. */
export const here = import.meta.dirname;
/** What is kept between runs: programs, Debian's packages, images. */
export const kept = join(root, '.data/cluster');
/** What one cluster has; `down` removes it. */
export const running = join(kept, 'run');
export const kubeconfig = (user: string): string => join(running, 'pki', `${user}.json`);
export const nodeBin = dirname(process.execPath);
