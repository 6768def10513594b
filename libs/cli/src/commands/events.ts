import { followEvents, type WebhookEvent } from '@group-payments/client';
import type { Command } from 'commander';
import { findAccount } from '../account.ts';
import { print, type Common, type Shell } from '../shell.ts';
import { parseCount } from '../values.ts';
import type { AddCommand } from './command.ts';
import {
  describeEvent,
  FOLLOW_OPTIONS,
  keepsEvent,
  readTypes,
  watchStream,
  type FollowOptions,
} from './follow.ts';

type ListOptions = Common & { readonly limit?: number; readonly type?: string; readonly group?: string };

export function addEvents(program: Command, add: AddCommand, shell: Shell): void {
  const events = program.command('events').summary('see what happened').description('See what happened.');
  add<[], Common & FollowOptions>(events, 'tail', {
    summary: 'print events as they arrive',
    details: 'With --json each event is one line, as webhooks deliver it.',
    options: FOLLOW_OPTIONS,
    examples: ['gp events tail', 'gp events tail --json --events group_payment.paid | jq .data'],
    async run(options) {
      const { client, settings } = await findAccount(shell, options);
      const types = await readTypes(client, options);
      for await (const event of followEvents(settings, watchStream(shell, options).options))
        if (keepsEvent(event, types))
          shell.out(`${options.json === true ? JSON.stringify(event) : describeEvent(event)}\n`);
    },
  });
  add<[], ListOptions>(events, 'list', {
    summary: 'list the newest events',
    options: [
      ['--limit <count>', 'most events (default: 20)', parseCount('--limit', 1, 100)],
      ['--type <type>', 'only those of this type'],
      ['--group <id>', 'only those of this group payment'],
    ],
    examples: ['gp events list', 'gp events list --type group_payment.paid --limit 5'],
    async run({ limit, type, group, ...common }) {
      const { client } = await findAccount(shell, common);
      const found = await client.listEvents({
        ...(limit !== undefined && { limit }),
        // The API refuses a type that it does not know, and says which there are.
        ...(type !== undefined && { type: type as WebhookEvent['type'] }),
        ...(group !== undefined && { group_payment_id: group }),
      });
      print(shell, common, found.events, found.events.map(describeEvent).join('\n') || 'There are none.');
    },
  });
  add<[string], Common>(events, 'show', {
    summary: 'show an event',
    arguments: [['<id>', 'id of the event']],
    examples: ['gp events show 01a205b0-3d7d-7000-8000-000000000001'],
    async run(common, id) {
      const { client } = await findAccount(shell, common);
      const event = await client.getEvent(id);
      print(shell, { ...common, json: true }, event, '');
    },
  });
}
