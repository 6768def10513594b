import { findManifest, type PspCode } from '@gp/gateway-registry';
import { validationError } from '@gp/errors';
import type { HttpRequest, HttpResponse } from '@gp/http';
import { MAX_TIMES, parseFault, whyNotPlayable, type FaultRule } from '../domain/fault.ts';
import { OPERATIONS } from '../domain/payment.ts';
import { readGateway, readInteger, readObject, readText, type Json } from './read.ts';

export interface FaultSwitch {
  set(gateway: PspCode, rule: FaultRule, match: Readonly<Record<string, string>>): Promise<void>;
  setLatency(gateway: PspCode, ms: number): Promise<void>;
  clear(): Promise<void>;
}

const MAX_LATENCY_MS = 120_000;

/** `POST /control/faults`: the next `times` matching calls misbehave. */
export async function setFault(faults: FaultSwitch, request: HttpRequest): Promise<HttpResponse> {
  const body = readObject(request);
  const gateway = readGateway(body['gateway']);
  const operation = OPERATIONS.find((known) => known === body['operation']);
  if (operation === undefined) throw validationError('operation', `must be one of ${OPERATIONS.join(', ')}`);
  const fault = parseFault(readText(body, 'fault'));
  if (fault === undefined) throw validationError('fault', 'is not a known fault');
  const why = whyNotPlayable(findManifest(gateway), operation, fault.kind);
  if (why !== undefined) throw validationError('fault', why);
  const times = readInteger(body['times'] ?? 1, 'times', 1, MAX_TIMES);
  await faults.set(gateway, { operation, fault, times }, parseMatch(body));
  return { status: 204 };
}

function parseMatch(body: Json): Record<string, string> {
  const { match = {} } = body;
  if (typeof match !== 'object' || match === null || Array.isArray(match)) {
    throw validationError('match', 'must be an object');
  }
  return Object.fromEntries(
    Object.entries(match as Json).map(([name, value]) => {
      if (typeof value !== 'string' && typeof value !== 'number')
        throw validationError(`match.${name}`, 'must be a text');
      return [name, String(value)];
    }),
  );
}

/** `DELETE /control/faults`: removes all faults and all added latency. */
export async function clearFaults(faults: FaultSwitch): Promise<HttpResponse> {
  await faults.clear();
  return { status: 204 };
}

/** `POST /control/latency`: every call of the gateway takes this much longer. */
export async function setLatency(faults: FaultSwitch, request: HttpRequest): Promise<HttpResponse> {
  const body = readObject(request);
  const ms = readInteger(body['ms'], 'ms', 0, MAX_LATENCY_MS);
  await faults.setLatency(readGateway(body['gateway']), ms);
  return { status: 204 };
}
