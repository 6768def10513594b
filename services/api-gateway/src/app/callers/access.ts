import type { OutboundMessage } from '@gp/bus';
import type { Db } from '@gp/pg';
import type { Loop } from '@gp/service';
import { signingKeySet, verifyToken, type SigningKeySet } from '@gp/http';
import { authenticate, type Authenticate } from './authenticate.ts';
import { epochDirectory, type EpochDirectory } from '../directories/epoch-directory.ts';
import { createKeyDigester } from './key-digests.ts';
import { keyDirectory, type KeyDirectory } from '../directories/key-directory.ts';
import { keyExposures } from './key-exposures.ts';
import { keyUses } from './key-uses.ts';
import { originDirectory, type OriginDirectory } from '../directories/origin-directory.ts';
import type { ServiceCalls } from '../ports.ts';

/** Authenticates requests, with the records that a replica caches to do so. */
export type Access = {
  readonly authenticate: Authenticate;
  readonly directories: {
    readonly keys: KeyDirectory;
    readonly epochs: EpochDirectory;
    readonly origins: OriginDirectory;
    readonly signingKeys: SigningKeySet;
  };
  /** Loops that report which secret keys came from browsers and which were used. */
  readonly reporters: readonly Loop[];
};

/** Builds what authenticates a request. `peppers`: the current one first; `now` is monotonic, ms. */
export function openAccess(o: {
  db: Db;
  services: Pick<ServiceCalls, 'listSigningKeys'>;
  publish: (message: OutboundMessage) => Promise<void>;
  peppers: readonly string[];
  now?: () => number;
}): Access {
  const clock = o.now && { now: o.now };
  const keys = keyDirectory({ db: o.db, ...clock });
  const epochs = epochDirectory({ db: o.db, ...clock });
  const origins = originDirectory({ db: o.db, ...clock });
  const signingKeys = signingKeySet({ ask: () => o.services.listSigningKeys({}), ...clock });
  const exposures = keyExposures({ publish: o.publish });
  const uses = keyUses({ publish: o.publish });
  return {
    authenticate: authenticate({
      keys,
      computeDigests: createKeyDigester(o.peppers),
      verifyToken: verifyToken({
        keys: signingKeys,
        findEpoch: async (groupId) => (await epochs.find(groupId))?.epoch ?? 0,
      }),
      onExposure: exposures.note,
      onUse: uses.note,
    }),
    directories: { keys, epochs, origins, signingKeys },
    reporters: [exposures.loop, uses.loop],
  };
}
