import { expect, it } from '@jest/globals';
import type { HttpRequest } from '@gp/http';
import { securityTxtRoutes } from './index.ts';

const read = async (now: number) => {
  const [route] = securityTxtRoutes({ securityContact: 'mailto:security@pay.example', now: () => now });
  return (await route!.handle({} as HttpRequest)).body;
};

it('security.txt names the contact and ends half a year after the day on which it is read (Y5)', async () => {
  expect(await read(Date.parse('2027-01-01T23:59:59Z'))).toBe(
    'Contact: mailto:security@pay.example\nExpires: 2027-06-30T00:00:00.000Z\nPreferred-Languages: en\n',
  );
  expect(await read(Date.parse('2027-01-02T00:00:00Z'))).toContain('Expires: 2027-07-01T00:00:00.000Z');
});

it('without a contact there is no security.txt (Y5)', () => {
  expect(securityTxtRoutes({})).toEqual([]);
});
