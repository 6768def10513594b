export { createHttpApp } from './app.ts';
export type { HttpApp, HttpAppOptions } from './app.ts';
export { readJson } from './body.ts';
export { listen } from './server.ts';
export type { Listening, ListenOptions } from './server.ts';
export { admittedRoute } from './types.ts';
export type { Around, HttpHead, HttpOutcome, HttpRequest, HttpResponse } from './types.ts';
export type { Method, RequestInfo, Route } from './types.ts';
