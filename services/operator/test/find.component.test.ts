import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openBus, type Bus } from '@gp/bus';
import * as contracts from '@gp/contracts';
import { createOperator, playOperators, testNats, type OwnServer } from '@gp/testing';
import { runOperator } from './run-operator.ts';

const ann = createOperator('ann');
const group = '01a1fccf-ad43-7217-9b27-a78807b9280b';
let nats: OwnServer;
let others: Bus;

const found: contracts.GroupView = {
  id: group,
  merchant_id: '01a1fccf-ad43-7217-9b27-a78807b92800',
  mode: 'test',
  group_name: 'Dinner',
  merchant_order_id: 'order 7',
  total_minor: '9000',
  currency: 'EUR',
  expires_at: '2030-01-01T00:00:00.000Z',
  state: 'open',
  metadata: {},
  page_token: 'a-token-that-nobody-can-guess',
  version: 1,
  created_at: '2030-01-01T00:00:00.000Z',
  updated_at: '2030-01-01T00:00:00.000Z',
};

beforeAll(async () => {
  nats = await testNats();
  others = await openBus({ servers: nats.url, name: 'others' });
  playOperators(others, ann);
});
afterAll(async () => {
  await others?.close();
  await nats?.stop();
});

const run = (args: readonly string[]) => runOperator(args, { OPERATOR_KEY: ann.seed, NATS_URL: nats.url });

describe('group find', () => {
  const scope = ['group', 'find', '--merchant', 'm1', '--mode', 'test', '--order'];

  it('an order leads to its group, and the link that pays it is not printed', async () => {
    const serving = others.serve(contracts.findGroupByOrderForOperator, ({ merchant_order_id }) =>
      Promise.resolve({ group: merchant_order_id === 'order 7' ? found : null }),
    );
    const { code, out } = await run([...scope, 'order 7', '--json']);
    const none = await run([...scope, 'order 8']);
    await serving.close();
    expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ id: group, state: 'open' })]);
    expect(out).not.toContain(found.page_token);
    expect(none).toMatchObject({ code: 1, err: 'not_found: group of this order not found\n' });
  });

  it('the reference of a gateway leads to the groups of its payments, each once and with its state', async () => {
    const ids = ['01a1fccf-ad43-7217-9b27-a78807b92811', '01a1fccf-ad43-7217-9b27-a78807b92812'] as const;
    const payment = { merchant_id: 'm1', mode: 'live', group_id: group } as const;
    const payments = ids.map((intent_id) => ({ ...payment, intent_id }));
    const gateway = others.serve(contracts.findPaymentByReference('gateway_b'), ({ psp_reference }) =>
      Promise.resolve({ payments: psp_reference === 'pay_7' ? payments : [] }),
    );
    const none = { slots: [], intents: [], attempts: [], orders: [], transitions: [] };
    const more = { postings: [], events: [], tasks: [] };
    const ledger = others.serve(contracts.inspectGroup, ({ group_id: id }) =>
      Promise.resolve({ group: { id, merchant_id: 'm1', mode: 'live', state: 'open' }, ...none, ...more }),
    );
    const find = (reference: string) =>
      run(['group', 'find', '--psp', 'gateway_b', '--reference', reference, '--json']);
    const [known, unknown] = [await find('pay_7'), await find('pay_8')];
    await Promise.all([gateway.close(), ledger.close()]);
    expect([known.code, JSON.parse(known.out)]).toEqual([
      0,
      { groups: [{ id: group, merchant_id: 'm1', mode: 'live', state: 'open', intents: ids }] },
    ]);
    expect(unknown).toEqual({ code: 1, out: '', err: 'not_found: payment of this reference not found\n' });
  });

  it.each([
    [[], '--merchant, --mode, --order or --merchant, --mode, --email or --psp, --reference missing: '],
    [['--merchant', 'm1', '--mode', 'test'], '--order or --email missing: '],
    [['--merchant', 'm1', '--order', '7'], '--mode missing: '],
    [['--psp', 'gateway_b'], '--reference missing: '],
    [['--order', '7', '--email', 'a@b.example'], '--order and --email do not go together: '],
    [['--merchant', 'm1', '--psp', 'gateway_b'], '--merchant and --psp do not go together: '],
  ])('options that are not one way to name a group are refused with the fault: %j', async (args, fault) => {
    const { code, out, err } = await run(['group', 'find', ...args]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(`${fault}group find (--merchant ID --mode test|live --order ORDER | `);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

describe('payments find', () => {
  it('the reference of a gateway leads to the payment, its merchant and its group', async () => {
    const payment = { merchant_id: 'm1', mode: 'live', group_id: group, intent_id: group } as const;
    const serving = others.serve(contracts.findPaymentByReference('gateway_b'), ({ psp_reference }) =>
      Promise.resolve({ payments: psp_reference === 'pay_7' ? [payment] : [] }),
    );
    const find = (reference: string) =>
      run(['payments', 'find', '--psp', 'gateway_b', '--reference', reference, '--json']);
    const [known, unknown] = [await find('pay_7'), await find('pay_8')];
    await serving.close();
    expect([known.code, JSON.parse(known.out)]).toEqual([0, { payments: [payment] }]);
    expect(JSON.parse(unknown.out)).toEqual({ payments: [] });
  });
});

describe('groups of a payer', () => {
  it.each(['payers', 'group'])(
    'with "%s find" the address of a payer leads to the groups with a payment of that payer, without the links that pay them',
    async (noun) => {
      const asked: object[] = [];
      const serving = others.serve(contracts.listGroupsForOperator, (request) => {
        asked.push(request);
        const next = { created_at: found.created_at, id: found.id };
        return Promise.resolve({ groups: [found], total: 101, next });
      });
      const email = 'Ana@example.com';
      const scope = ['--merchant', 'm1', '--mode', 'test'];
      const { code, out } = await run([noun, 'find', ...scope, '--email', email, '--json']);
      await serving.close();
      expect(asked).toEqual([
        { merchant_id: 'm1', mode: 'test', customer_email: email, limit: 100, offset: 0 },
      ]);
      expect([code, JSON.parse(out)]).toEqual([
        0,
        { groups: [expect.objectContaining({ id: group, state: 'open' })], has_more: true },
      ]);
      expect(out).not.toContain(found.page_token);
    },
  );
});
