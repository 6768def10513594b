import { followEvents, type WebhookEvent } from '@group-payments/client';
import type { Command } from 'commander';
import { findAccount, readUrl } from '../account.ts';
import { wrongUsage } from '../failure.ts';
import type { Common, Shell } from '../shell.ts';
import { deriveSecret, SECRET, signWebhook } from '../sign.ts';
import {
  describeEvent,
  FOLLOW_OPTIONS,
  keepsEvent,
  readTypes,
  watchStream,
  type FollowOptions,
} from './follow.ts';
import type { AddCommand } from './command.ts';

/** As long as the platform waits for an endpoint. */
const PATIENCE_MS = 15_000;

type ListenOptions = Common &
  FollowOptions & { readonly forwardTo?: string; readonly secret?: string; readonly printSecret?: boolean };

export function addListen(program: Command, add: AddCommand, shell: Shell): void {
  add<[], ListenOptions>(program, 'listen', {
    summary: 'forward events to a local address as signed webhooks',
    details:
      'Each event is posted as the platform posts it, signed with a secret of your own, which is printed first and is the same for a key at all times. Nothing has to reach this machine from outside. A connection that is lost is resumed where it ended. What the local address refuses is reported and not sent again.',
    options: [
      ['--forward-to <address>', 'where to post the events, for example localhost:3000/webhooks'],
      ...FOLLOW_OPTIONS,
      ['--secret <whsec>', 'sign with this secret'],
      ['--print-secret', 'print the secret and end'],
    ],
    examples: [
      'gp listen --forward-to localhost:3000/webhooks',
      'gp listen --forward-to localhost:3000/webhooks --events group_payment.paid,group_payment.expired',
      'WEBHOOK_SECRET=$(gp listen --print-secret) npm start',
    ],
    run: (options) => listen(shell, options),
  });
}

async function listen(shell: Shell, options: ListenOptions): Promise<void> {
  const account = await findAccount(shell, options);
  const secret = readSecret(options.secret) ?? deriveSecret(account.settings.key);
  if (options.printSecret === true) return shell.out(`${secret}\n`);
  if (options.forwardTo === undefined)
    throw wrongUsage('--forward-to is missing: where shall the events go?');
  const target = readUrl(options.forwardTo, '--forward-to');
  const types = await readTypes(account.client, options);
  const { err, out, signal } = shell;
  err(
    `Signing secret: ${secret}\nForwarding ${account.mode} events of ${account.settings.baseUrl} to ${target}\n`,
  );
  const watch = watchStream(shell, options);
  for await (const event of followEvents(account.settings, watch.options)) {
    if (!keepsEvent(event, types)) continue;
    const forwarded = await forward(event, { target, secret, signal });
    if (signal.aborted) return;
    if (options.json === true) out(`${JSON.stringify({ event, forwarded })}\n`);
    else
      out(`${describeEvent(event)} -> ${forwarded.status ?? forwarded.error ?? ''} (${forwarded.ms} ms)\n`);
  }
}

function readSecret(given: string | undefined): string | undefined {
  if (given === undefined || SECRET.test(given)) return given;
  throw wrongUsage('--secret must be whsec_ and the base64 of 16 or more bytes');
}

type Forwarded = { readonly status?: number; readonly error?: string; readonly ms: number };

async function forward(
  event: WebhookEvent,
  { target, secret, signal }: { target: string; secret: string; signal: AbortSignal },
): Promise<Forwarded> {
  const body = JSON.stringify(event);
  const startedAt = performance.now();
  const measure = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await fetch(target, {
      method: 'POST',
      headers: signWebhook(event, { body, secret }),
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    await answer.body?.cancel();
    return { status: answer.status, ms: measure() };
  } catch (error) {
    return { error: describeError(error), ms: measure() };
  }
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return 'no answer';
  if (error.name === 'TimeoutError') return `no answer within ${PATIENCE_MS / 1_000} s`;
  const { code } = (error.cause ?? {}) as { code?: string };
  return code === 'ECONNREFUSED' ? 'nothing listens there' : (code ?? error.message);
}
