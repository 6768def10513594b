import type {
  beginAuthorisation,
  findGroup,
  findGroupByPageToken,
  findIntent,
  prepareIntent,
  releaseIntent,
  RequestOf,
  reserveSlots,
  ResponseOf,
} from '@gp/contracts';
import type { Db } from '@gp/pg';
import type { Seal } from '@gp/seal';

type Prepare = ReturnType<typeof prepareIntent>;

/** When the caller stops listening, epoch ms: no step may answer later. */
export type By = { readonly deadline: number };

/** What checkout asks of the ledger. */
export type Ledger = {
  reserve(request: RequestOf<typeof reserveSlots>, by: By): Promise<ResponseOf<typeof reserveSlots>>;
  release(request: RequestOf<typeof releaseIntent>): Promise<ResponseOf<typeof releaseIntent>>;
  beginAuthorisation(
    request: RequestOf<typeof beginAuthorisation>,
    by: By,
  ): Promise<ResponseOf<typeof beginAuthorisation>>;
  findGroup(request: RequestOf<typeof findGroup>): Promise<ResponseOf<typeof findGroup>>;
  findGroupByPageToken(pageToken: string): Promise<ResponseOf<typeof findGroupByPageToken>>;
  findIntent(request: RequestOf<typeof findIntent>): Promise<ResponseOf<typeof findIntent>>;
};

/** What checkout asks of the adapter of a gateway. */
export type Gateways = {
  prepare(psp: string, request: RequestOf<Prepare>, by: By): Promise<ResponseOf<Prepare>>;
};

/** What sessions are made of. */
export type SessionParts = {
  readonly db: Db;
  readonly seal: Seal;
  readonly wakeRelay: () => void;
};
