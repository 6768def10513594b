import { AppError } from '@gp/errors';
import type { HttpRequest, HttpResponse, Method, Route } from '@gp/http';
import { openAccount, setEndpoint, type AccountControls } from './accounts.ts';
import { showBooks, type BooksReader } from './books.ts';
import { clearFaults, setFault, setLatency, type FaultSwitch } from './faults.ts';
import { actExternally, lapsePayment, type PaymentControls } from './payments.ts';

export type Controls = AccountControls &
  PaymentControls & { readonly reader: BooksReader; readonly faults: FaultSwitch };

/** Routes for testers. */
export function controlRoutes(c: Controls): Route[] {
  return [
    local('GET', '/control/books', (request) => showBooks(c.reader, request)),
    local('POST', '/control/faults', (request) => setFault(c.faults, request)),
    local('DELETE', '/control/faults', () => clearFaults(c.faults)),
    local('POST', '/control/latency', (request) => setLatency(c.faults, request)),
    local('POST', '/control/payments/:psp_reference/lapse', (request) => lapsePayment(c, request)),
    local('POST', '/control/payments/:psp_reference/external', (request) => actExternally(c, request)),
    ...[...c.gateways].flatMap(([code, { controls = {} }]) =>
      Object.entries(controls).map(([name, handle]) => local('POST', `/control/${code}/${name}`, handle)),
    ),
    local('POST', '/control/:gateway/accounts', (request) => openAccount(c, request)),
    local('PUT', '/control/:gateway/webhook_endpoint', (request) => setEndpoint(c, request)),
  ];
}

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** Returns 404 to clients that are not on this machine, whatever address the port is bound to. */
function local(method: Method, path: string, handle: (request: HttpRequest) => Promise<HttpResponse>): Route {
  const admit = ({ remoteAddress }: { remoteAddress: string }) =>
    LOOPBACK.test(remoteAddress) ? Promise.resolve() : Promise.reject(new AppError('route_not_found'));
  return { method, path, admit, handle, jsonOnly: true };
}
