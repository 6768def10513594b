export {
  baseConfig,
  databaseConfig,
  pgOptions,
  runtimeConfig,
  securityConfig,
  type BaseConfig,
  type RuntimeConfig,
} from './base-config.ts';
export { busOptions, identityConfig, natsUrl, type BusConfig } from './bus-config.ts';
export { systemClock, type Clock } from './clock.ts';
export { CSP_REPORTS } from './csp-report.ts';
export { cspReportRoute } from './csp-report.route.ts';
export { failPoint } from './fail-point.ts';
export type { HttpOptions } from './http-intake.ts';
export type { Loop, PassResult, Wake } from './loop.ts';
export { findNearest } from './nearest.ts';
export { operatorKeyConfig, readOperatorSigner, STANDARD_INPUT, type KeySource } from './operator-key.ts';
export { COMMON_OPTIONS, splitLeadingOptions, UsageError } from './operator-line.ts';
export { formatReadable } from './readable.ts';
export type { Probe } from './readiness.ts';
export { runService } from './run-service.ts';
export { readRunningStack, runningStackConfig, type RunningStack } from './running-stack.ts';
export { sealConfig } from './seal-config.ts';
export { securityTxtRoutes } from './security-txt.routes.ts';
export type { Resource, Service } from './service.ts';
