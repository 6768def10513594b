/**
 * The reader's key: in memory, and in the tab's own storage only while the reader asks for that. It is in no address, and
 * in nothing that outlives the tab.
 */
const STORED = 'group-payments-test-key';
const TEST_KEY = /^sk_test_[0-9A-Za-z]{38}$/;

let current = readStored();
const keyFollowers = new Set<() => void>();

/** A browser that blocks storage throws where it is asked for. */
function readStored(): string {
  try {
    return sessionStorage.getItem(STORED) ?? '';
  } catch {
    return '';
  }
}

export const getKey = (): string => current;
export const isKeyKept = (): boolean => current !== '' && readStored() === current;

/** Sets the key, and keeps it while the tab is open when that is asked for. */
export function setKey(key: string, isKept: boolean): void {
  current = key;
  try {
    if (isKept && findKeyFault(key) === undefined) sessionStorage.setItem(STORED, key);
    else sessionStorage.removeItem(STORED);
  } catch {
    // It stays in memory.
  }
  for (const follow of keyFollowers) follow();
}

/** Calls back when another form has set the key. */
export function followKey(follow: () => void): void {
  keyFollowers.add(follow);
}

export const isLiveKey = (key: string): boolean => key.startsWith('sk_live_');

/** Returns why a key is not sent, or undefined for a test key. */
export function findKeyFault(key: string): string | undefined {
  if (isLiveKey(key))
    return 'This is a live key: it moves real money, so it has no place in a page. Nothing was sent. Use a test key, which begins with sk_test_.';
  if (key === '') return 'Enter a test key. It begins with sk_test_; the dashboard makes one.';
  if (!TEST_KEY.test(key))
    return 'This is no test key: one begins with sk_test_, followed by 38 letters and digits. Nothing was sent.';
  return undefined;
}
