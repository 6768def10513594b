import { pspCodes } from '@gp/gateway-registry';

type Option = {
  /** What the value is. */
  readonly is: string;
  /** What stands for the value in a line to type. */
  readonly sample: string;
};

/** All options of the commands on merchants. */
export const options = {
  merchant: { is: 'the id of a merchant', sample: 'ID' },
  key: { is: 'the id of an API key', sample: 'ID' },
  group: { is: 'the id of a group payment', sample: 'ID' },
  mode: { is: 'test or live', sample: 'test|live' },
  psp: { is: `a gateway: ${pspCodes.join(', ')}`, sample: pspCodes.join('|') },
  name: { is: 'the name of what is created', sample: 'NAME' },
  email: { is: 'the e-mail address with which a user logs in', sample: 'EMAIL' },
} as const satisfies Record<string, Option>;
export type OptionName = keyof typeof options;
