import { randomUUID } from 'node:crypto';
import { eventually } from '@gp/testing';
import { merchantApi, type Group, type Json } from '../../support/api.ts';
import { inSeconds, payer, paySlot } from '../../support/journey.ts';
import { openRequests, type Requests } from '../../support/requests.ts';
import type { StackFile } from '../../support/stack.ts';

/** A merchant's objects in one mode: one of each kind that an operation concerns. */
export type Things = {
  readonly group: Group;
  readonly pageToken: string;
  /** The link of its organiser, who may extend. */
  readonly organiserToken: string;
  readonly hook: { readonly id: string; readonly deliveryId: string; readonly recoveryId: string };
  readonly eventId: string;
  /** A logged request. */
  readonly logId: string;
  /** A payer, of test mode only. */
  readonly customerId: string;
  /** Texts by which a payer's browser knows the group. */
  readonly shown: readonly string[];
  /** Texts that only the merchant may see. */
  readonly hidden: readonly string[];
};

/** A period without events. */
export const period = { since: inSeconds(-7_200), until: inSeconds(-3_600) };

export const order = (group_name: string, slots = 1): Json => ({
  group_name,
  total_amount: slots * 10,
  currency: 'EUR',
  expires_at: inSeconds(3_600),
  distribution: { type: 'equally', number_of_slots: slots },
  organiser: { may: ['extend'] },
});

export async function newGroup(server: Requests, name: string, slots = 1): Promise<Group> {
  return (await server.post('/v1/group-payments', order(name, slots))).body as unknown as Group;
}

/** Makes one of each with a secret key. Only a payment makes an event, and no live gateway can be reached from here. */
export async function makeThings(
  stack: StackFile,
  o: { key: string; label: string; endpoint: string; isLive: boolean },
): Promise<Things> {
  const server = openRequests(stack.api, o.key);
  const group = await newGroup(server, `${o.label} dinner`, 3);
  const gone = await newGroup(server, `${o.label} gone`);
  const description = `${o.label} till`;
  const id = String((await server.post('/v1/webhooks', { url: o.endpoint, description })).body['id']);
  const path = `/v1/webhooks/${id}`;
  const sent = await server.post(`${path}/test`, { event_type: 'group_payment.paid' });
  const recovery = await server.post(`${path}/recover`, period);
  const eventId = o.isLive ? randomUUID() : await makeEvent(stack, o.key, gone);
  const customerId = o.isLive ? randomUUID() : await findCustomerId(server);
  const { id: groupId, group_name, merchant_order_id } = group.group_payment;
  const organiserToken = group.organiser_url?.split('/').at(-1) ?? 'no organiser';
  const [deliveryId, recoveryId] = [String(sent.body['id']), String(recovery.body['id'])];
  const logId = await findLogId(server, path);
  return {
    group,
    pageToken: group.checkout_url.split('/').at(-1) ?? '',
    organiserToken,
    hook: { id, deliveryId, recoveryId },
    eventId,
    logId,
    customerId,
    shown: [groupId, group_name, merchant_order_id, ...group.payment_slots.map((slot) => slot.id)],
    hidden: [
      ...[o.key, gone.group_payment.id, id, description],
      ...[deliveryId, recoveryId, eventId, logId, customerId, organiserToken],
    ],
  };
}

const findLogId = (server: Requests, path: string): Promise<string> =>
  eventually(async () => {
    const { body } = await server.get(`/v1/request-logs?path=${path}/test`);
    return (body as { request_logs: { id: string }[] }).request_logs[0]?.id;
  });

/** The id of the guest who paid. */
async function findCustomerId(server: Requests): Promise<string> {
  const { customers } = (await server.get('/v1/customers')).body as {
    customers: { customer_id: string }[];
  };
  return customers[0]?.customer_id ?? '';
}

/** Pays a group and returns the id of its event `group_payment.paid`. */
async function makeEvent(stack: StackFile, key: string, group: Group): Promise<string> {
  await paySlot(stack, merchantApi(stack.api, key), group, 0, payer('guest'));
  return eventually(async () => {
    const { events } = (await openRequests(stack.api, key).get('/v1/events')).body as {
      events: { id: string }[];
    };
    return events[0]?.id;
  });
}
