import { merchantApi, type Group, type MerchantApi } from '../support/api.ts';
import { openEndpoint } from '../support/endpoint.ts';
import { openSharedStack, type SharedStack } from '../support/shared-stack.ts';
import { authorise, cards } from '../support/payer.ts';
import { findMerchant, type Merchant } from '../support/stack.ts';
import { arriveAt } from './dashboard-page.ts';
import { openBrowser, type TestBrowser, type Visitor } from './support.ts';

const HOUR_MS = 3_600_000;

/** A merchant with a webhook endpoint and a paid group, and a browser at the merchant's dashboard. */
export type DashboardFixture = {
  readonly browser: TestBrowser;
  readonly shared: SharedStack;
  readonly merchant: Merchant;
  readonly api: MerchantApi;
  /** The address of the webhook endpoint. */
  readonly endpointUrl: string;
  /** Paid by ana@example.com (slots 1 and 2) and ben@example.com (slot 3). */
  readonly paid: Group;
  /** Sets the status with which the webhook endpoint answers; 200 at first. */
  answerWith(status: number): void;
  /** Creates a group of three slots, `o` are fields of it; `faults` are what the gateway meets on them, by their place. */
  newGroup(name: string, faults?: readonly string[], o?: object): Promise<Group>;
  /** Takes slots (by their place, from 0) for one payer and authorises them. */
  pay(group: Group, email: string, places: readonly number[]): Promise<void>;
  /** Opens a path of the dashboard as the merchant, in a browser of its own. */
  openAt(path: string, ...visit: Parameters<TestBrowser['visit']>): Promise<Visitor>;
  close(): Promise<void>;
};

export async function openDashboardFixture(): Promise<DashboardFixture> {
  let status = 200;
  const shared = await openSharedStack({ merchants: ['gateway_a'] });
  const [browser, endpoint] = await Promise.all([openBrowser(), openEndpoint(() => status)]);
  const merchant = findMerchant(shared.stack, 'gateway_a');
  const api = merchantApi(shared.stack.api, merchant.test_key);

  const newGroup = (name: string, faults: readonly string[] = [], o = {}): Promise<Group> => {
    const slot_metadata = faults.map((fault) => ({ metadata: fault === '' ? {} : { sandbox_fault: fault } }));
    return api.createGroup({
      group_name: name,
      total_amount: 30,
      currency: 'EUR',
      expires_at: new Date(Date.now() + 24 * HOUR_MS).toISOString(),
      distribution: { type: 'equally', number_of_slots: 3, ...(faults.length > 0 && { slot_metadata }) },
      ...o,
    });
  };
  const pay = async (group: Group, email: string, places: readonly number[]): Promise<void> => {
    const { id } = group.group_payment;
    const slot_ids = places.map((place) => group.payment_slots[place]!.id);
    const payer = { email, name: email.split('@')[0]!, card: cards.approved };
    const begun = await api.pay(id, { customer_email: email, customer_name: payer.name, slot_ids });
    await authorise(shared.stack, api, id, begun, payer);
  };

  await api.createWebhook(endpoint.url);
  const paid = await newGroup('Paid dinner');
  await pay(paid, 'ana@example.com', [0, 1]);
  await pay(paid, 'ben@example.com', [2]);
  await api.becomes(paid.group_payment.id, ['paid']);
  return {
    browser,
    shared,
    merchant,
    api,
    endpointUrl: endpoint.url,
    paid,
    answerWith: (next) => void (status = next),
    newGroup,
    pay,
    openAt: async (path, ...visit) =>
      arriveAt(await browser.visit(...visit), shared.stack.dashboard, { person: merchant, path }),
    async close() {
      await browser.close();
      await shared.close();
      await endpoint.close();
    },
  };
}
