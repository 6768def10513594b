export { choice, decimal, flag, integer, optional, pairs, secret, text, url } from './fields.ts';
export type { Field } from './fields.ts';
export { defineConfig, describeConfig, toVariableName } from './schema.ts';
export type { ConfigOf, ConfigSchema, ConfigShape } from './schema.ts';
export { ConfigError, readConfig } from './read.ts';
