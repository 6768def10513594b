import { expect, it } from '@jest/globals';
import { formatShownAddress } from './shown-address.ts';

it.each([
  ['https://shop.example/hooks', 'https://shop.example/hooks'],
  ['https://shop.example', 'https://shop.example'],
  ['https://shop.example:8443/a/?token=s3cret#s3cret', 'https://shop.example:8443/a/'],
  ['https://ana:s3cret@shop.example/hooks', 'https://shop.example/hooks'],
  ['https://chat.example/services/T0001/s3cret-s3cret-s3cret', 'https://chat.example/services/T0001/s3cr…'],
  ['no address', ''],
])('a mail shows the address %s without what may be secret in it (K19)', (url, shown) => {
  expect(formatShownAddress(url)).toBe(shown);
});
