export { baseConfig, runtimeConfig, sealConfig, type BaseConfig, type RuntimeConfig } from './base-config.ts';
export { systemClock, type Clock } from './clock.ts';
export { failPoint } from './fail-point.ts';
export type { HttpOptions } from './http-intake.ts';
export type { Loop } from './loop.ts';
export type { Probe } from './readiness.ts';
export { runService } from './run-service.ts';
export type { Resource, Service } from './service.ts';
