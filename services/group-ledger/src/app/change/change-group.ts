import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { groupChanged, Mode, PayloadOf } from '@gp/contracts';
import { AppError, notFound, type ErrorData } from '@gp/errors';
import { countDuplicates } from '@gp/outbox';
import type { Db } from '@gp/pg';
import { continueIn, currentTraceparent, type Logger } from '@gp/telemetry';
import { uuidv7 } from 'uuidv7';
import { loadGroup, type Loaded, type LoadRequest } from '../../db/group/load-group.ts';
import type { ReportedPayment } from '../../db/group/decision.row.ts';
import { saveDecision, type DecisionToSave } from '../../db/group/save-decision.ts';
import {
  decide,
  defaultPolicy,
  type Command,
  type Context,
  type AcceptedDecision,
  type FirstOperator,
  type Group,
  type Policy,
  type Refusal,
  type Reply,
} from '../../domain/index.ts';
import { failAfter, failBefore, type LedgerStep } from '../../fail-points.ts';
import { countDecision } from './measured.ts';
import type { InTurn } from './in-turn.ts';
import { buildMessages } from './messages.ts';
import { findSandboxFault } from './sandbox-fault.ts';
import { logDecision } from './log-decision.ts';

/** The parts that every use case of the ledger needs. */
export type LedgerParts = {
  readonly db: Db;
  readonly log: Logger;
  readonly wakeRelay: () => void;
  /** Call it when a comparison with a gateway's books was begun. */
  readonly wakeReconciliation: () => void;
  readonly inTurn: InTurn;
  /** Publishes that a group is at this version now; the note may get lost. */
  readonly publishChange: (change: PayloadOf<typeof groupChanged>) => void;
  /** The default policy where it is absent. */
  readonly policy?: Policy;
  /** The administrator whose key is registered while no administrator has a valid one. */
  readonly firstOperator?: FirstOperator | undefined;
};

/** One change of one group. */
export type GroupCommandRequest = LoadRequest & {
  readonly step: LedgerStep;
  /** The actor, for the audit: `merchant`, a gateway, `scheduler`, an operator's name. */
  readonly actor: string;
  /** The payment whose outcome a gateway reports. */
  readonly reported?: ReportedPayment;
  /** Builds the command from the group; a value that is no command ends without deciding. */
  readonly command: (loaded: Loaded) => Command | undefined;
  /** Rows that are written with an accepted decision. */
  readonly beside?: (
    loaded: Loaded,
    decision: AcceptedDecision,
  ) => Pick<DecisionToSave, 'command' | 'customer' | 'names'>;
};

/** How a change ended, with the group as it is now. */
export type ChangedGroup = {
  readonly loaded: Loaded;
  readonly group: Group;
  readonly kind: 'written' | 'ignored';
  readonly reason?: string;
  readonly reply?: Reply | undefined;
};

/** Concurrent writers of one group are rare past the in-process turn: other replicas only. */
const MAX_TRIES = 20;

/**
 * Loads a group, lets the domain decide, and writes the whole decision. A concurrent write makes it start
 * again with the new state. Throws not_found, the decision's refusal, or `conflict` when every try lost the race.
 */
export async function changeGroup(parts: LedgerParts, request: GroupCommandRequest): Promise<ChangedGroup> {
  return parts.inTurn(request.groupId, async () => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const done = await tryChange(parts, request);
      if (done !== 'stale') return done;
      await delay(randomInt(1, 5 + tries * 5));
    }
    throw new AppError('conflict', { retryAfterSeconds: 1 });
  });
}

async function tryChange(parts: LedgerParts, request: GroupCommandRequest): Promise<ChangedGroup | 'stale'> {
  const loaded = await loadGroup(parts.db, request);
  if (!loaded) throw notFound('group payment');
  if (loaded.isProcessed) {
    if (request.message) countDuplicates(request.message.consumer);
    return { loaded, group: loaded.group, kind: 'ignored', reason: 'processed before' };
  }
  const command = request.command(loaded);
  if (!command) return { loaded, group: loaded.group, kind: 'ignored', reason: 'nothing to decide' };

  const decision = decide(loaded.group, command, buildContext(loaded, parts.policy));
  if (decision.kind === 'rejected') throw toError(decision);
  if (decision.kind === 'ignored') return { loaded, group: loaded.group, ...decision };

  const findTrace = findTraces(loaded, request.step);
  failBefore(request.step);
  if ((await saveDecision(parts.db, toSave(request, loaded, decision, findTrace))) === 'stale')
    return 'stale';
  failAfter(request.step);
  parts.wakeRelay();
  const { id: group_id, merchantId: merchant_id, mode } = loaded.group;
  parts.publishChange({ group_id, merchant_id, mode, version: decision.next.version });
  countDecision(loaded.group, decision);
  logDecision(parts.log, loaded.group, decision, findTrace);
  if (decision.refusal) throw toError(decision.refusal);
  return { loaded, group: decision.next, kind: 'written', reply: decision.reply };
}

function buildContext(loaded: Loaded, policy = defaultPolicy): Context {
  return {
    nowMs: loaded.nowMs,
    newId: uuidv7,
    policy,
    jitter: (delayMs) => Math.round(delayMs * (0.8 + Math.random() * 0.4)),
    isRevoked: (pspCode, version) =>
      loaded.connections.some((c) => c.psp_code === pspCode && c.version === version && c.revoked),
  };
}

/**
 * Spans of a payment go to the trace of the request that created it. A change by another payer, a timer or a refund adds
 * one span there, linked with the running trace; that trace records the rest.
 */
function findTraces(loaded: Loaded, step: LedgerStep): (intentId: string | null) => string | undefined {
  const running = currentTraceparent();
  const known = new Map(loaded.intentRows.map((row) => [row.id, row.traceparent]));
  const traces = new Map<string, string | undefined>();
  return (intentId) => {
    const begun = intentId === null ? null : known.get(intentId);
    if (intentId === null || !begun) return running;
    if (!traces.has(intentId))
      traces.set(intentId, continueIn('change payment', begun, { intent_id: intentId, trigger: step }));
    return traces.get(intentId);
  };
}

// An expiry found on the way is written although the command is refused. The command's own rows are then not written, so that
// the same command or message is decided again when it is repeated.
function toSave(
  request: GroupCommandRequest,
  loaded: Loaded,
  decision: AcceptedDecision,
  findTrace: (intentId: string | null) => string | undefined,
): DecisionToSave {
  const sandboxFault = (intentId: string) => findSandboxFault(loaded, decision.next, intentId);
  const rows = decision.refusal ? undefined : request.beside?.(loaded, decision);
  const names = { ...loaded.row, ...rows?.names };
  const context = { group: decision.next, names, newId: uuidv7, sandboxFault, findTrace };
  const traceparent = findTrace(null) ?? null;
  return {
    before: loaded.group,
    after: decision.next,
    decidedAtMs: loaded.nowMs,
    events: decision.events,
    alerts: decision.effects.filter((effect) => effect.kind === 'alert'),
    postings: decision.postings,
    transitions: decision.transitions,
    messages: buildMessages(context, loaded.group, decision.events, decision.effects),
    origin: {
      actor: request.actor,
      commandId: request.commandId ?? null,
      traceparent,
      reported: request.reported,
    },
    ...(!decision.refusal && { message: request.message, ...rows }),
  };
}

/** Turns a refusal of the domain into the error for the caller. */
export function toError(refusal: Refusal): AppError {
  const { code, message, param, details, hint } = refusal;
  const data: ErrorData = {
    ...(message !== undefined && { message }),
    ...(param !== undefined && { param }),
    ...(details !== undefined && { details }),
    ...(hint !== undefined && { hint }),
  };
  return new AppError(code, data);
}

/** Returns the merchant and mode of a message or request. */
export function toScope(o: { merchant_id: string; mode: Mode }): { merchantId: string; mode: Mode } {
  return { merchantId: o.merchant_id, mode: o.mode };
}
