import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findRecovery, resendDelivery, startRecovery, type PublicEvent } from '@gp/contracts';
import { eventually } from '@gp/testing';
import { failPoints } from '../src/fail-points.ts';
import { status } from './support/receiver.ts';
import { openService, verifyRequest, type Merchant, type Service } from './support/service.ts';
import { makeDue } from './support/world.ts';

let service: Service;
let merchant: Merchant;

beforeEach(async () => {
  service = await openService();
  merchant = await service.openMerchant();
});
afterEach(() => service?.close());

/** Ends the claims that a killed process has left, as time would. */
const passLeases = () => makeDue(service.db, 'sending');
const asked = (point: string) => /\.(resend|recover)/.test(point);

describe('a process that is killed', () => {
  it.each(failPoints.filter((point) => !asked(point)))(
    'a process killed at %s delivers the event all the same, under the same id',
    async (point) => {
      const first = await service.start();
      const { secret } = await merchant.register();
      await first.end();
      const dying = service.launch({ GP_FAIL_POINT: point });
      const event = merchant.makeEvent();
      await merchant.publish(event);
      expect(await dying.ended).toEqual({ code: null, signal: 'SIGKILL' });
      await passLeases();
      await service.start();
      await merchant.waitForDeliveries(1, { status: 'delivered' });
      const ids = merchant.receiver.received.map((request) => verifyRequest(request, secret).id);
      expect(new Set(ids)).toEqual(new Set([event.id]));
      // Only a death between the request and its record makes the receiver get it twice.
      const mayRepeat = ['webhooks.request.after', 'webhooks.outcome.before'].includes(point);
      expect(ids.length).toBe(mayRepeat ? 2 : 1);
      expect(await merchant.listDeliveries()).toMatchObject([{ event_id: event.id }]);
    },
  );
});

describe('a process that is killed while a merchant has events sent again', () => {
  /** An endpoint that was sent this, and then a process that dies at the point. */
  const dyingAfter = async (point: string, events: readonly PublicEvent[], answer = 200) => {
    merchant.receiver.answer(status(answer));
    const first = await service.start({ RETRY_LADDER_MS: '1' });
    const { id } = await merchant.register();
    for (const event of events) await merchant.publish(event);
    await merchant.waitForDeliveries(events.length, { status: answer === 200 ? 'delivered' : 'failed' });
    await first.end();
    merchant.receiver.answer(status(200));
    merchant.receiver.received.length = 0;
    const dying = service.launch({ GP_FAIL_POINT: point });
    await dying.says('started');
    return { id, dying };
  };

  it.each(failPoints.filter((point) => point.includes('.resend')))(
    'a resend interrupted by a kill at %s can be requested again, and the event is sent',
    async (point) => {
      const { bus } = service;
      const { scope, receiver } = merchant;
      const event = merchant.makeEvent();
      const { id, dying } = await dyingAfter(point, [event]);
      const request = { ...scope, endpoint_id: id, delivery_id: event.id };
      const unanswered = bus.call(resendDelivery, request, { timeoutMs: 20_000 }).catch(() => undefined);
      expect(await dying.ended).toEqual({ code: null, signal: 'SIGKILL' });
      await passLeases();
      await service.start();
      await unanswered;
      await eventually(() => bus.call(resendDelivery, request).catch(() => undefined));
      await merchant.waitForDeliveries(1, { status: 'delivered', resend_from: null });
      expect(receiver.received.every((each) => each.event.id === event.id)).toBe(true);
      expect(receiver.received.length).toBeGreaterThanOrEqual(1);
    },
  );

  it.each(failPoints.filter((point) => point.includes('.recover')))(
    'a recovery interrupted by a kill at %s continues where it was, and each event is sent once',
    async (point) => {
      const { bus } = service;
      const { scope, receiver } = merchant;
      const events = Array.from({ length: 130 }, merchant.makeEvent);
      const { id, dying } = await dyingAfter(point, events, 500);
      const period = { since: events[0]!.created, until: new Date(Date.now() + 1_000).toISOString() };
      const request = { ...scope, endpoint_id: id, ...period };
      const unanswered = bus.call(startRecovery, request, { timeoutMs: 20_000 }).catch(() => undefined);
      expect(await dying.ended).toEqual({ code: null, signal: 'SIGKILL' });
      await passLeases();
      await service.start();
      await unanswered;
      const { id: recovery_id } = await eventually(() =>
        bus.call(startRecovery, request).catch(() => undefined),
      );
      await eventually(async () => {
        const found = await bus.call(findRecovery, { ...scope, endpoint_id: id, recovery_id });
        return found.status === 'done' || undefined;
      });
      await merchant.waitForDeliveries(events.length, { status: 'delivered' });
      const ids = receiver.received.map((each) => each.event.id);
      expect(new Set(ids)).toEqual(new Set(events.map((event) => event.id)));
      // A commit whose confirmation is lost sends nothing twice.
      expect(ids).toHaveLength(events.length);
    },
  );
});
