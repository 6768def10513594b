import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Mode } from '@gp/contracts';
import { AppError, notFound, type ErrorData } from '@gp/errors';
import type { Db } from '@gp/pg';
import { currentTraceparent, type Logger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import { loadGroup, type Loaded, type LoadRequest } from '../db/load-group.ts';
import { saveDecision, type DecisionToSave } from '../db/save-decision.ts';
import type { EventRow } from '../db/changed-rows.ts';
import {
  decide,
  defaultPolicy,
  type Command,
  type Context,
  type Decision,
  type DomainEvent,
  type Group,
  type Refusal,
  type Reply,
} from '../domain/index.ts';
import { failAfter, failBefore, type LedgerStep } from '../fail-points.ts';
import { messagesOf } from './messages.ts';
import { sandboxFaultOf } from './sandbox-fault.ts';
import type { InTurn } from './in-turn.ts';

/** What every use case of the ledger works with. */
export type LedgerParts = {
  readonly db: Db;
  readonly log: Logger;
  readonly wakeRelay: () => void;
  readonly inTurn: InTurn;
};

/** One change of one group. */
export type Change = LoadRequest & {
  readonly step: LedgerStep;
  /** Who asks, for the audit: `merchant`, a gateway, `scheduler`, an operator's name. */
  readonly actor: string;
  /** The command, chosen with the group in view; a value that is no command ends without deciding. */
  readonly command: (loaded: Loaded) => Command | undefined;
  /** What else is written with an accepted decision. */
  readonly beside?: (loaded: Loaded, decision: Accepted) => Pick<DecisionToSave, 'command' | 'customer'>;
};

export type Accepted = Extract<Decision, { kind: 'accepted' }>;

/** How a change ended, with the group as it is now. */
export type Changed = {
  readonly loaded: Loaded;
  readonly group: Group;
  readonly kind: 'written' | 'ignored';
  readonly reason?: string;
  readonly reply?: Reply | undefined;
};

/** Concurrent writers of one group are rare past the in-process turn: other replicas only. */
const MAX_TRIES = 20;

/**
 * Loads a group, lets the domain decide, writes the decision whole. Somebody who wrote in between makes it start
 * again with what they wrote. Throws not_found, the decision's refusal, or `conflict` when it never gets its turn.
 */
export async function changeGroup(parts: LedgerParts, change: Change): Promise<Changed> {
  return parts.inTurn(change.groupId, async () => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const done = await tryChange(parts, change);
      if (done !== 'stale') return done;
      await delay(randomInt(1, 5 + tries * 5));
    }
    throw new AppError('conflict', { retryAfterSeconds: 1 });
  });
}

async function tryChange(parts: LedgerParts, change: Change): Promise<Changed | 'stale'> {
  const loaded = await loadGroup(parts.db, change);
  if (!loaded) throw notFound('group payment');
  if (loaded.isHeard) return { loaded, group: loaded.group, kind: 'ignored', reason: 'heard before' };
  const command = change.command(loaded);
  if (!command) return { loaded, group: loaded.group, kind: 'ignored', reason: 'nothing to decide' };

  const decision = decide(loaded.group, command, contextOf(loaded));
  if (decision.kind === 'rejected') throw refused(decision);
  if (decision.kind === 'ignored') return { loaded, group: loaded.group, ...decision };

  failBefore(change.step);
  if ((await saveDecision(parts.db, toSave(change, loaded, decision))) === 'stale') return 'stale';
  failAfter(change.step);
  parts.wakeRelay();
  tellStory(parts.log, loaded.group, decision);
  if (decision.refusal) throw refused(decision.refusal);
  return { loaded, group: decision.next, kind: 'written', reply: decision.reply };
}

function contextOf(loaded: Loaded): Context {
  return {
    nowMs: loaded.nowMs,
    newId: uuidv7,
    policy: defaultPolicy,
    jitter: (delayMs) => Math.round(delayMs * (0.8 + Math.random() * 0.4)),
    isRevoked: (pspCode, version) =>
      loaded.connections.some((c) => c.psp_code === pspCode && c.version === version && c.revoked),
  };
}

function toSave(change: Change, loaded: Loaded, decision: Accepted): DecisionToSave {
  const running = currentTraceparent();
  const traceOf = (intentId: string | null) =>
    loaded.intentRows.find((row) => row.id === intentId)?.traceparent ?? running;
  const telling = {
    group: decision.next,
    newId: uuidv7,
    sandboxFault: (intentId: string) => sandboxFaultOf(loaded, decision.next, intentId),
    traceOf,
  };
  return {
    before: loaded.group,
    after: decision.next,
    decidedAtMs: loaded.nowMs,
    events: decision.events.map(eventRow),
    alerts: decision.effects.filter((effect) => effect.kind === 'alert'),
    postings: decision.postings,
    transitions: decision.transitions,
    messages: messagesOf(telling, decision.events, decision.effects),
    origin: { actor: change.actor, commandId: change.commandId ?? null, traceparent: running ?? null },
    message: change.message,
    ...change.beside?.(loaded, decision),
  };
}

function eventRow({ id, type, sequence, groupVersion, data }: DomainEvent): EventRow {
  const subject_id = 'paymentIntentId' in data ? data.paymentIntentId : data.groupPaymentId;
  return { id, type, sequence, subject_id, group_version: groupVersion };
}

/** The payment's story, one line for every step that a person would tell. */
function tellStory(log: Logger, before: Group, decision: Accepted): void {
  const base = { group_id: before.id, merchant_id: before.merchantId, mode: before.mode };
  for (const transition of decision.transitions) {
    if (transition.entity !== 'intent' && transition.entity !== 'group') continue;
    const subject = transition.entity === 'intent' ? { intent_id: transition.entityId } : {};
    const states = { state_from: transition.from ?? 'none', state_to: transition.to };
    log.info({ ...base, ...subject, ...states }, `${transition.entity} is ${transition.to}`);
  }
  for (const effect of decision.effects)
    if (effect.kind === 'alert')
      log.error({ ...base, code: effect.code }, 'a person has to look at this payment');
}

function refused(refusal: Refusal): AppError {
  const { code, message, param, details } = refusal;
  const data: ErrorData = {
    ...(message !== undefined && { message }),
    ...(param !== undefined && { param }),
    ...(details !== undefined && { details }),
  };
  return new AppError(code, data);
}

/** Who a message or request is scoped to. */
export function scopeOf(o: { merchant_id: string; mode: Mode }): { merchantId: string; mode: Mode } {
  return { merchantId: o.merchant_id, mode: o.mode };
}
