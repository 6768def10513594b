import type { GroupPaymentOrganiser } from '../../../../src/http/api.ts';

type Right = GroupPaymentOrganiser['may'][number];

const WORDS: Readonly<Record<Right, string>> = {
  remind: 'remind payers by mail',
  extend: 'extend the time to pay',
  cancel: 'cancel the group payment',
};

/** Returns what an organiser may do in words; seeing who is missing and paying need no right. */
export function formatRights(may: readonly Right[]): string {
  return ['see who is missing', 'pay what is left', ...may.map((right) => WORDS[right])].join(', ');
}
