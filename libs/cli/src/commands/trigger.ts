import { followEvents, type WebhookEvent } from '@group-payments/client';
import type { Command } from 'commander';
import { findAccount, needTestMode, type Account } from '../account.ts';
import { CommandFailure, wrongUsage } from '../failure.ts';
import { openScene, RECIPES, SENT_AS_TEST, type Recipe } from '../recipes.ts';
import { print, type Common, type Shell } from '../shell.ts';
import { alignColumns } from '../values.ts';
import type { AddCommand } from './command.ts';
import { describeEvent } from './follow.ts';

const PATIENCE_MS = 40_000;

type TriggerOptions = Common & { readonly list?: boolean };

export function addTrigger(program: Command, add: AddCommand, shell: Shell): void {
  add<[string | undefined], TriggerOptions>(program, 'trigger', {
    summary: 'make an event happen in test mode',
    details: `What has to happen is done for real: a group payment is created and paid, refunded or cancelled, and the event arrives at webhooks and streams. Only ${SENT_AS_TEST.join(' and ')} are sent as test events, to your endpoints alone.`,
    arguments: [['[event]', 'type of the event']],
    options: [['--list', 'list the events and how they are made']],
    examples: ['gp trigger group_payment.paid', 'gp trigger --list'],
    run: (options, type) => trigger(shell, options, type),
  });
}

async function trigger(shell: Shell, options: TriggerOptions, type: string | undefined): Promise<void> {
  if (options.list === true || type === undefined) return list(shell, options);
  const account = needTestMode(await findAccount(shell, options), 'trigger');
  const dispute = SENT_AS_TEST.find((each) => each === type);
  if (dispute) return sendTestEvents(shell, options, account, dispute);
  const recipe = Object.hasOwn(RECIPES, type) ? RECIPES[type] : undefined;
  if (!recipe)
    throw wrongUsage(
      `${type} is no event that can be triggered${suggest(type)}; \`gp trigger --list\` lists them`,
    );
  if (options.json !== true) shell.err(`${recipe.summary} …\n`);
  const event = await runAndAwait(shell, account, { recipe, type });
  print(shell, options, event, describeEvent(event));
}

/** Names the events that have the last word of a type, or begin with it: `paid` is one of `group_payment.paid`. */
function suggest(type: string): string {
  const word = type.split('.').at(-1) ?? '';
  const similar = [...Object.keys(RECIPES), ...SENT_AS_TEST].filter((each) =>
    word === '' ? false : each.endsWith(`.${word}`) || each.startsWith(type),
  );
  return similar.length === 0 ? '' : ` (did you mean ${similar.join(' or ')}?)`;
}

/** Follows the events while the recipe runs, so that the event is seen however quickly it comes. */
async function runAndAwait(
  shell: Shell,
  account: Account,
  { recipe, type }: { recipe: Recipe; type: string },
): Promise<WebhookEvent> {
  const stop = new AbortController();
  const timeUp = AbortSignal.timeout(PATIENCE_MS);
  const signal = AbortSignal.any([stop.signal, shell.signal, timeUp]);
  let running: Promise<string> | undefined;
  const seen: WebhookEvent[] = [];
  const startOnce = (): void => {
    running ??= recipe.run(openScene(shell, account));
    // A recipe that fails ends the wait; its failure is read below.
    running.catch(() => stop.abort());
  };
  try {
    // A refusal of the stream is reported at once: the time is for the event.
    const settings = { ...account.settings, retries: 0 };
    for await (const event of followEvents(settings, { signal, onOpen: startOnce })) {
      seen.push(event);
      if (event.type !== type) continue;
      // The event may be here before the recipe knows that it is done.
      const groupId = await running;
      const found = seen.find((each) => each.type === type && each.data.group_payment_id === groupId);
      if (found) return found;
    }
    await running;
  } finally {
    stop.abort();
  }
  throw new CommandFailure(
    timeUp.aborted ? `No ${type} came within ${PATIENCE_MS / 1_000} s.` : `Ended before ${type} came.`,
  );
}

async function sendTestEvents(
  shell: Shell,
  options: Common,
  { client }: Account,
  type: (typeof SENT_AS_TEST)[number],
): Promise<void> {
  const { webhook_endpoints } = await client.listWebhooks();
  const enabled = webhook_endpoints.filter((endpoint) => endpoint.enabled);
  if (enabled.length === 0)
    throw new CommandFailure(`${type} goes to webhook endpoints only, and none is registered and enabled.`);
  const sent = await Promise.all(
    enabled.map(async ({ id, url }) => ({
      url,
      delivery: await client.testWebhook(id, { event_type: type }),
    })),
  );
  print(shell, options, sent, sent.map(({ url }) => `A test event is on its way to ${url}`).join('\n'));
}

function list(shell: Shell, options: Common): void {
  const all = [
    ...Object.entries(RECIPES).map(([type, { summary }]) => ({ type, summary })),
    ...SENT_AS_TEST.map((type) => ({
      type,
      summary: 'a test event is sent to each enabled webhook endpoint',
    })),
  ];
  print(shell, options, all, alignColumns(all.map(({ type, summary }) => [type, summary])));
}
