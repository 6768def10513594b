import { beforeEach, describe, expect, it } from '@jest/globals';
import { findBeginning, NOTHING, payerStore, type Begun, type Saved } from './saved.ts';

/** The storage of a browser, as far as it is used: its keys are its own properties. */
function newStorage(): Storage {
  const held: Record<string, unknown> = {};
  const methods = {
    getItem: (key: string) => (held[key] as string | undefined) ?? null,
    setItem: (key: string, value: string) => void (held[key] = value),
    removeItem: (key: string) => void Reflect.deleteProperty(held, key),
  };
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(held, name, { value });
  return held as unknown as Storage;
}

let device: Storage;
beforeEach(() => {
  device = newStorage();
});

/** A tab that is opened anew, and has nothing of its own yet. */
const openTab = (group = 'g') => {
  const tab = newStorage();
  return payerStore(group, { tab: () => tab, device: () => device });
};

const ana = { ...NOTHING, email: 'ana@payers.example', name: 'Ana' };
const paid = (...ids: string[]): Saved => ({
  ...ana,
  made: ids.map((id) => ({ intentId: id, slotIds: [`slot of ${id}`] })),
});
const begun = (o: Partial<Begun> = {}): Begun => ({
  key: 'key',
  request: { customer_email: ana.email, slot_ids: ['s1'] },
  intentId: 'i1',
  ...o,
});

describe('what a device remembers of a payer', () => {
  it('a payment that is held is known in a new tab, and in no other bill', () => {
    openTab().save(paid('i1'));
    expect(openTab().load()).toEqual(paid('i1'));
    expect(openTab('other').load()).toEqual(NOTHING);
  });

  it('a payer whose shares are not reserved leaves nothing on the device', () => {
    openTab().save({ ...ana, selected: ['s1'] });
    openTab().save({ ...ana, begun: { key: 'key', request: begun().request } });
    expect(Object.keys(device)).toEqual([]);
  });

  it('a reservation is known in a new tab until it is left', () => {
    const tab = openTab();
    tab.save({ ...ana, begun: begun() });
    expect(openTab().load().begun).toEqual(begun());
    tab.save(ana);
    expect(Object.keys(device)).toEqual([]);
  });

  it('a card that was sent is asked for in a new tab, until its outcome is known (R5)', () => {
    const tab = openTab();
    const sent = begun({ isSubmitted: true });
    tab.save({ ...ana, begun: sent });
    expect(openTab().load().begun).toEqual(sent);
    tab.save(ana);
    expect(openTab().load()).toEqual(NOTHING);
  });

  it('two tabs of one payer keep the payments of both, and each removes only its own', () => {
    const [one, two] = [openTab(), openTab()];
    one.load();
    two.load();
    one.save(paid('i1'));
    two.save(paid('i2'));
    expect(openTab().load().made).toEqual(paid('i1', 'i2').made);
    one.save(ana);
    expect(openTab().load().made).toEqual(paid('i2').made);
  });

  it('a tab learns what another one has paid, and the address of the bank’s page stays in its own', () => {
    const [one, two] = [openTab(), openTab()];
    one.load();
    two.load();
    two.save({ ...ana, begun: begun({ isSubmitted: true, bankUrl: 'https://bank.example/3ds' }) });
    expect(two.load().begun?.bankUrl).toBe('https://bank.example/3ds');
    expect(JSON.stringify(device)).not.toContain('bank.example');
    expect(one.made()).toEqual([]);
    two.save(paid('i1'));
    expect(one.made()).toEqual(paid('i1').made);
  });

  it('a payer who is forgotten leaves nothing in the tab or on the device', () => {
    const tab = openTab();
    tab.save(paid('i1'));
    tab.forget();
    expect([tab.load(), Object.keys(device)]).toEqual([NOTHING, []]);
  });

  it('a memory older than 90 days is removed at the next visit of any bill', () => {
    openTab().save(paid('i1'));
    const key = 'group-payment:g';
    const old = { ...(JSON.parse(device.getItem(key) ?? '') as object), at: Date.now() - 91 * 86_400_000 };
    device.setItem(key, JSON.stringify(old));
    device.setItem('of somebody else', '1');
    openTab('other').load();
    expect(Object.keys(device)).toEqual(['of somebody else']);
  });

  it('a browser that refuses storage remembers nothing, and the page works', () => {
    const refuse = (): Storage => {
      throw new Error('SecurityError');
    };
    const store = payerStore('g', { tab: refuse, device: refuse });
    expect(() => store.save(paid('i1'))).not.toThrow();
    expect(store.load()).toEqual(NOTHING);
  });
});

it('a payment begins at the instant that its id names, and at no known one under another kind of id', () => {
  expect(findBeginning('0198c3f0-1234-7000-8000-00000000000c')).toBe(0x0198c3f01234);
  expect(findBeginning('0198c3f0-1234-4000-8000-00000000000c')).toBeUndefined();
  expect(findBeginning('intent-1')).toBeUndefined();
});
