import { describe, expect, it } from '@jest/globals';
import { pspCodes } from '@gp/gateway-registry';
import { callbacksPattern, listMissingCallbacks, readCallbacks } from './sandbox-callbacks.ts';

const formatAddress = (code: string) =>
  `http://${code.replaceAll('_', '-')}:8080/callbacks/${code}?from=sandbox`;
const expected = Object.fromEntries(pspCodes.map((code) => [code, formatAddress(code)]));
const pairs = pspCodes.map((code) => `${code}=${formatAddress(code)}`);
const isTaken = (text: string) => new RegExp(`^(?:${callbacksPattern.source})$`).test(text);

describe('the callbacks of the sandbox', () => {
  it.each([
    ['pairs in any order', pairs.toReversed().join(',')],
    ['pairs with a gateway of a newer version', [...pairs, 'gateway_of_tomorrow=http://x'].join(',')],
    ['addresses alone, in the order of the codes', pspCodes.map(formatAddress).join(',')],
  ])('the callbacks of the sandbox are read from %s', (_, text) => {
    expect(isTaken(text)).toBe(true);
    expect(readCallbacks(text)).toEqual(expected);
    expect(listMissingCallbacks(text)).toEqual([]);
  });

  it('the callback of a gateway that is not named is missing', () => {
    const [first, ...others] = pspCodes;
    expect(listMissingCallbacks(`${first}=${formatAddress(first ?? '')}`)).toEqual(
      others.map((code) => `SANDBOX_CALLBACKS has no address for ${code}`),
    );
  });

  it.each([
    ['one address too few', pspCodes.slice(1).map(formatAddress).join(',')],
    ['one address too many', [...pspCodes, 'x'].map(formatAddress).join(',')],
    ['a mix of both forms', [pairs[0], formatAddress('gateway')].join(',')],
    ['nothing', ''],
  ])('the callbacks of the sandbox are refused: %s', (_, text) => {
    expect(isTaken(text)).toBe(false);
  });

  it('the callbacks of the sandbox are empty where there is no sandbox', () => {
    expect(listMissingCallbacks(undefined)).toEqual([]);
  });
});
