import {
  GroupPaymentsError,
  type Client,
  type FollowOptions as ClientOptions,
  type WebhookEvent,
} from '@group-payments/client';
import type { Common, Shell } from '../shell.ts';
import { parseList } from '../values.ts';
import type { OptionSpec } from './command.ts';

export type FollowOptions = { readonly events?: string; readonly after?: string };

export const FOLLOW_OPTIONS: readonly OptionSpec[] = [
  ['--events <types>', 'only events of these types, separated by commas'],
  [
    '--after <event id>',
    'begin after this event instead of now; "first" begins with the oldest that is kept',
  ],
];

const FIRST = '00000000-0000-0000-0000-000000000000';

/** Builds the options of a stream that tells the user when it is open, lost, and open again. */
export function watchStream(
  { err, signal }: Shell,
  { after, json }: Common & FollowOptions,
): { options: ClientOptions } {
  let isLost = false;
  let wasOpen = false;
  return {
    options: {
      ...(after !== undefined && { after: after === 'first' ? FIRST : after }),
      signal,
      onOpen() {
        if (!wasOpen) err('Waiting for events. End with Ctrl-C.\n');
        else if (isLost) err('Connected again.\n');
        wasOpen = true;
        isLost = false;
      },
      onLost(reason, inMs) {
        // What keeps a first stream from opening is the error that --json prints, in the end.
        if (!isLost && (wasOpen || json !== true)) err(`${describeLoss(reason, wasOpen, inMs)}\n`);
        isLost = true;
      },
    },
  };
}

function describeLoss(reason: Error, wasOpen: boolean, inMs: number): string {
  const { message } = reason.cause instanceof Error ? reason.cause : reason;
  const hint = reason instanceof GroupPaymentsError ? reason.hint : undefined;
  if (wasOpen) return `The connection was lost (${message}); it will be resumed.`;
  return `The stream cannot be opened (${hint === undefined ? message : `${message}: ${hint}`}); the next try is in ${Math.ceil(inMs / 1_000)} s.`;
}

export const keepsEvent = ({ type }: WebhookEvent, types: readonly string[]): boolean =>
  types.length === 0 || types.includes(type);

/** One line about an event. */
export function describeEvent({ id, type, created, data }: WebhookEvent): string {
  return `${created}  ${type.padEnd(34)}  ${data.group_payment_id}  ${id}`;
}

/** Reads the types of `--events`. The API refuses a type that it does not know, and says which there are. */
export async function readTypes(client: Client, { events = '' }: FollowOptions): Promise<readonly string[]> {
  const types = parseList(events);
  for (const type of types) await client.listEvents({ type: type as WebhookEvent['type'], limit: 1 });
  return types;
}
