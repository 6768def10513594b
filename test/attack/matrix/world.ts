import { drawPng } from '@gp/testing';
import { openApi } from '../../support/journey.ts';
import type { Group, Pay } from '../../support/api.ts';
import { payer } from '../../support/journey.ts';
import { openRequests } from '../../support/requests.ts';
import { findMerchant, type Merchant, type StackFile } from '../../support/stack.ts';
import { COLLEAGUES, expectStatus, openRawDashboard, type RawDashboard, type Person } from './people.ts';
import { makeThings, newGroup, type Things } from './things.ts';

/** A merchant with its owner and its objects in both modes. */
export type MerchantData = {
  readonly merchant: Merchant;
  readonly owner: Person;
  readonly test: Things;
  readonly live: Things;
};

/** Two merchants; the requests concern the objects of the first. */
export type World = {
  readonly stack: StackFile;
  readonly dashboard: RawDashboard;
  readonly mine: MerchantData;
  readonly theirs: MerchantData;
  readonly team: Readonly<Record<(typeof COLLEAGUES)[number], Person>>;
  /** Another group of the first merchant in test mode. */
  readonly beside: Group;
  /** Keys and members of the first merchant that strangers try to change. */
  readonly standing: {
    readonly keys: Readonly<Record<'test' | 'live', string>>;
    readonly invitation: string;
    readonly trainee: Person;
    /** The name of the file of its logo in test mode. */
    readonly logo: string;
  };
  /** A payment of the first slot of the first merchant's group, and of that other group. */
  readonly payments: { readonly mine: Pay; readonly beside: Pay };
  /** The origin of a shop of the first merchant. */
  readonly origin: string;
};

export const ana = payer('ana');
/** A logo as the dashboard takes it. */
export const LOGO = { media_type: 'image/png', content: drawPng().toString('base64') };

async function openMerchantData(
  stack: StackFile,
  dashboard: RawDashboard,
  { gateway, label, endpoint }: { gateway: string; label: string; endpoint: string },
): Promise<MerchantData> {
  const merchant = findMerchant(stack, gateway);
  const owner = await dashboard.logIn(merchant.email, merchant.password);
  const things = (mode: 'test' | 'live', key: string) =>
    makeThings(stack, { key, label: `${label} ${mode}`, endpoint, isLive: mode === 'live' });
  return {
    merchant,
    owner,
    test: await things('test', merchant.test_key),
    live: await things('live', merchant.live_key),
  };
}

/** Makes both merchants. `endpoint` receives their webhooks. */
export async function openWorld(stack: StackFile, endpoint: string): Promise<World> {
  const dashboard = openRawDashboard(stack);
  const mine = await openMerchantData(stack, dashboard, { gateway: 'gateway_b', label: 'Casa', endpoint });
  const theirs = await openMerchantData(stack, dashboard, { gateway: 'gateway_a', label: 'Bar', endpoint });
  const team: Record<string, Person> = {};
  for (const role of COLLEAGUES) team[role] = await dashboard.addMember(mine.owner, role);
  const origin = 'https://shop.example';
  await dashboard.ask(mine.owner, 'PUT', '/api/origins', { mode: 'test', origins: [origin] });
  const branding = { mode: 'test', logo: LOGO };
  const branded = await dashboard.ask(mine.owner, 'PUT', '/api/branding/logo', branding);
  const make = async (path: string, body: object): Promise<string> =>
    String(expectStatus(await dashboard.ask(mine.owner, 'POST', path, body), 201).body['id']);
  const newKey = (mode: string) => make('/api/keys', { mode, name: 'standing' });
  const beside = await newGroup(openRequests(stack.api, mine.merchant.test_key), 'Casa beside');
  const api = openApi(stack, mine.merchant);
  const start = ({ group_payment, payment_slots }: Group) =>
    api.pay(group_payment.id, {
      customer_email: ana.email,
      customer_name: ana.name,
      slot_ids: [payment_slots[0]?.id],
    });
  return {
    stack,
    dashboard,
    mine,
    theirs,
    team: team as World['team'],
    beside,
    standing: {
      keys: { test: await newKey('test'), live: await newKey('live') },
      invitation: await make('/api/team/invitations', { email: 'guest@merchants.example', role: 'viewer' }),
      trainee: await dashboard.addMember(mine.owner, 'viewer'),
      logo: String(expectStatus(branded, 200).body['logo']),
    },
    payments: { mine: await start(mine.test.group), beside: await start(beside) },
    origin,
  };
}
