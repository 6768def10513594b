import type { Group, Pay } from './api.ts';
import { buildConfirmRequest, type Payer } from './payer.ts';
import type { StackFile } from './stack.ts';
import type { Visitor } from './visitor.ts';

/** A session token from the link of a group, as its page gets one. Throws when none is given out. */
export async function mint(stack: StackFile, visitor: Visitor, { checkout_url }: Group): Promise<string> {
  const answer = await visitor.post(`${stack.checkout}/c/${checkout_url.split('/').at(-1) ?? ''}/session`);
  if (answer.status !== 200) throw new Error(`a session was refused with ${answer.status}: ${answer.body}`);
  return (JSON.parse(answer.body) as { token: string }).token;
}

/** Reserves a slot with a session token, for an address and no card. Returns the answer. */
export function reserve(
  stack: StackFile,
  visitor: Visitor,
  { group, token, email, slot }: { group: Group; token: string; email: string; slot: number },
) {
  return visitor.post(
    `${stack.api}/v1/group-payments/${group.group_payment.id}/pay`,
    { customer_email: email, slot_ids: [group.payment_slots[slot]?.id] },
    { authorization: `Bearer ${token}` },
  );
}

/** Pays a slot at a gateway that takes the card from a server, with a session token. Returns the status of the last answer. */
export async function payAsVisitor(
  stack: StackFile,
  visitor: Visitor,
  o: { group: Group; token: string; who: Payer; slot: number },
): Promise<number> {
  const started = await reserve(stack, visitor, { ...o, email: o.who.email });
  if (started.status !== 201) return started.status;
  const confirm = await buildConfirmRequest(stack, JSON.parse(started.body) as Pay, o.who);
  const url = `${stack.api}/v1/group-payments/${o.group.group_payment.id}/confirm`;
  return (await visitor.post(url, confirm, { authorization: `Bearer ${o.token}` })).status;
}
