export { run } from './run.ts';
export { EXIT } from './failure.ts';
export type { Shell } from './shell.ts';
