export { configurations } from './config.ts';
