import type { Alert, DomainEvent, Posting, TransitionLog } from '../../domain/index.ts';

/** A command that must not run twice, with what it made. */
export type CommandToStore = {
  readonly id: string;
  readonly fingerprint: string;
  readonly intentId: string | null;
  readonly refundId: string | null;
};

/** A payer as the last payment described them; no name or time zone leaves the known one (Q1, Q105). */
export type CustomerToStore = {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly timeZone: string | null;
};

/** The message that requested a decision, to be processed once. */
export type MessageToStore = { readonly consumer: string; readonly id: string };

/** At most one row each; one parameter for all, as most decisions have one of them. */
export function requestRows({
  message,
  command,
  customer,
}: {
  readonly message?: MessageToStore | undefined;
  readonly command?: CommandToStore | undefined;
  readonly customer?: CustomerToStore | undefined;
}) {
  return {
    inbox: message ? [{ consumer: message.consumer, message_id: message.id }] : [],
    command: command ? [commandRow(command)] : [],
    customer: customer ? [customerRow(customer)] : [],
  };
}

function customerRow({ id, email, name, timeZone }: CustomerToStore) {
  return { id, email, name, time_zone: timeZone };
}

function commandRow({ id, fingerprint, intentId, refundId }: CommandToStore) {
  return { id, fingerprint, intent_id: intentId, refund_id: refundId };
}

export function alertRow({ key, code, intentId }: Alert) {
  return { key, code, intent_id: intentId };
}

export function eventRow(event: DomainEvent) {
  const { id, type, sequence, groupVersion } = event;
  return { id, type, sequence, subject_id: findSubjectId(event), group_version: groupVersion };
}

/** The id of what the event is about. A new noun needs a case here. */
function findSubjectId(event: DomainEvent): string {
  switch (event.noun) {
    case 'payment_intent':
      return event.data.paymentIntentId;
    case 'group_payment':
      return event.data.groupPaymentId;
  }
}

export function postingRow(posting: Posting) {
  return {
    id: posting.id,
    entry_id: posting.entryId,
    account: posting.account,
    amount_minor: posting.amountMinor.toString(),
    intent_id: posting.intentId,
    attempt_id: posting.authorizationId,
    transition_id: posting.transitionId,
  };
}

/** The payment that a gateway's outcome is about, and the gateway's name of it. */
export type ReportedPayment = { readonly intentId: string; readonly pspReference: string | null };

export function transitionRow(log: TransitionLog, reported: ReportedPayment | undefined) {
  return {
    id: log.id,
    entity: log.entity,
    entity_id: log.entityId,
    state_from: log.from,
    state_to: log.to,
    trigger: log.trigger,
    group_version: log.groupVersion,
    failure: log.failure ?? null,
    psp_reference: reported?.intentId === log.entityId ? reported.pspReference : null,
  };
}
