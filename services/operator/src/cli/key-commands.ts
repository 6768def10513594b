import * as contracts from '@gp/contracts';
import type { OperatorRole } from '@gp/contracts';
import { createKey, registerNewKey } from '../app/operator-keys.ts';
import { parseInstant, the, type Commands } from './command.ts';
import type { Given } from './options.ts';

const readKey = (given: Given) => ({
  name: the(given.name),
  role: given.role as OperatorRole,
  expires_at: given.expires === undefined ? null : parseInstant(given.expires),
});

/** The commands on operators' own keys. */
export const keyCommands: Commands = {
  'keys new': {
    does: 'makes a key and registers it nowhere; an administrator adds its public half, or a first installation names it',
    needs: ['name'],
    takes: ['out'],
    runAlone: (given) => createKey({ name: the(given.name), file: given.out }),
  },
  'keys add': {
    does: 'registers a person’s key; without --key it makes one, and prints its private half once or writes it to --out',
    needs: ['name', 'role'],
    takes: ['key', 'expires', 'out'],
    run: (bus, given) =>
      given.key === undefined
        ? registerNewKey(bus, readKey(given), given.out)
        : bus.call(contracts.addOperatorKey, { ...readKey(given), key: given.key }),
  },
  'keys list': {
    does: 'the keys of all operators, with their roles, and which of them are valid',
    needs: [],
    takes: [],
    run: (bus) => bus.call(contracts.listOperatorKeys, {}),
  },
  'keys revoke': {
    does: 'ends a key at once: what it signs is refused from now on',
    needs: ['key'],
    takes: [],
    run: (bus, given) => bus.call(contracts.revokeOperatorKey, { key: the(given.key) }),
  },
};
