import type { Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import type { Db } from '@gp/pg';
import type { Seal } from '@gp/seal';
import type { Service } from '@gp/service';
import { changeEndpoint, removeEndpoint } from '../app/endpoints/change-endpoint.ts';
import { createEndpoint } from '../app/endpoints/create-endpoint.ts';
import { findEndpoint, listEndpoints } from '../app/endpoints/find-endpoints.ts';
import { findEvent, listEvents } from '../app/events/find-events.ts';
import { followEvents, locateEvent } from '../app/events/follow-events.ts';
import { listGroupDeliveries } from '../app/deliveries/list-group-deliveries.ts';
import { listDeliveries } from '../app/deliveries/list-deliveries.ts';
import { findRecovery, startRecovery } from '../app/recoveries/recover-deliveries.ts';
import { resendDelivery } from '../app/deliveries/resend-delivery.ts';
import { rollSecret } from '../app/endpoints/roll-secret.ts';
import { sendTestEvent } from '../app/events/send-test-event.ts';
import { sumAttempts } from '../app/deliveries/sum-attempts.ts';

export type AnswerParts = {
  readonly db: Db;
  readonly seal: Seal;
  readonly onLaneChanged: () => void;
  /** Something became due. */
  readonly onDue: () => void;
  readonly onRecovery: () => void;
};

/** Every question and command the dispatcher answers. */
export function answerCalls(service: Pick<Service<unknown>, 'serve'>, bus: Bus, parts: AnswerParts): void {
  service.serve(bus, contracts.createEndpoint, createEndpoint(parts));
  service.serve(bus, contracts.listEndpoints, listEndpoints(parts.db));
  service.serve(bus, contracts.findEndpoint, findEndpoint(parts.db));
  service.serve(bus, contracts.updateEndpoint, changeEndpoint(parts));
  service.serve(bus, contracts.deleteEndpoint, removeEndpoint(parts));
  service.serve(bus, contracts.rollSecret, rollSecret(parts));
  service.serve(bus, contracts.listDeliveries, listDeliveries(parts.db));
  service.serve(bus, contracts.resendDelivery, resendDelivery({ db: parts.db, wake: parts.onDue }));
  service.serve(bus, contracts.sendTestEvent, sendTestEvent({ db: parts.db, wake: parts.onDue }));
  service.serve(bus, contracts.startRecovery, startRecovery({ db: parts.db, wake: parts.onRecovery }));
  service.serve(bus, contracts.findRecovery, findRecovery(parts.db));
  service.serve(bus, contracts.listEvents, listEvents(parts.db));
  service.serve(bus, contracts.findEvent, findEvent(parts.db));
  service.serve(bus, contracts.locateEvent, locateEvent(parts.db));
  service.serve(bus, contracts.followEvents, followEvents(parts.db));
  service.serve(bus, contracts.listGroupDeliveries, listGroupDeliveries(parts.db));
  service.serve(bus, contracts.sumAttempts, sumAttempts(parts.db));
}
