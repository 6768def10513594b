import type { HttpRequest, HttpResponse, Method, Route } from '@gp/http';
import { admitControl, type ControlAccess } from './admit.ts';
import { openAccount, setEndpoint, type AccountControls } from './accounts.ts';
import { showBooks, type BooksReader } from './books.ts';
import { clearFaults, setFault, setLatency, type FaultSwitch } from './faults.ts';
import { actExternally, lapsePayment, type PaymentControls } from './payments.ts';

export type Controls = AccountControls &
  PaymentControls & { readonly reader: BooksReader; readonly faults: FaultSwitch };

/** Builds the routes for testers. */
export function controlRoutes(c: Controls, access: ControlAccess): Route[] {
  const admit = admitControl(access);
  const control = (method: Method, path: string, handle: (request: HttpRequest) => Promise<HttpResponse>) =>
    ({ method, path, admit, handle, jsonOnly: true }) satisfies Route;
  return [
    control('GET', '/control/books', (request) => showBooks(c.reader, request)),
    control('POST', '/control/faults', (request) => setFault(c.faults, request)),
    control('DELETE', '/control/faults', () => clearFaults(c.faults)),
    control('POST', '/control/latency', (request) => setLatency(c.faults, request)),
    control('POST', '/control/payments/:psp_reference/lapse', (request) => lapsePayment(c, request)),
    control('POST', '/control/payments/:psp_reference/external', (request) => actExternally(c, request)),
    ...[...c.gateways].flatMap(([code, { controls = {} }]) =>
      Object.entries(controls).map(([name, handle]) => control('POST', `/control/${code}/${name}`, handle)),
    ),
    control('POST', '/control/:gateway/accounts', (request) => openAccount(c, request)),
    control('PUT', '/control/:gateway/webhook_endpoint', (request) => setEndpoint(c, request)),
  ];
}
