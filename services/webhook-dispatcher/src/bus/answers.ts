import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { Db } from '@gp/pg';
import type { Seal } from '@gp/seal';
import type { Service } from '@gp/service';
import { changeEndpoint, removeEndpoint } from '../app/change-endpoint.ts';
import { createEndpoint } from '../app/create-endpoint.ts';
import { findEndpoint, listEndpoints } from '../app/find-endpoints.ts';

export type AnswerParts = { readonly db: Db; readonly seal: Seal; readonly onLaneChanged: () => void };

/** Every question and command the dispatcher answers. */
export function answerCalls(service: Pick<Service<unknown>, 'serve'>, bus: Bus, parts: AnswerParts): void {
  service.serve(bus, contracts.createEndpoint, createEndpoint(parts));
  service.serve(bus, contracts.listEndpoints, listEndpoints(parts.db));
  service.serve(bus, contracts.findEndpoint, findEndpoint(parts.db));
  service.serve(bus, contracts.updateEndpoint, changeEndpoint(parts));
  service.serve(bus, contracts.deleteEndpoint, removeEndpoint(parts));
}
