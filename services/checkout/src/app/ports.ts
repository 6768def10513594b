import type {
  beginAuthorisation,
  findGroup,
  findIntent,
  hideName,
  listPayments,
  prepareIntent,
  releaseIntent,
  RequestOf,
  reserveSlots,
  ResponseOf,
  rollPageToken,
} from '@gp/contracts';
import type { Db } from '@gp/pg';
import type { Seal } from '@gp/seal';
import type { KnownGroup } from '../domain/picture.ts';

type Prepare = ReturnType<typeof prepareIntent>;

/** When the caller stops waiting, epoch ms: no step may take longer. */
export type By = { readonly deadline: number };

/** The calls of checkout to the ledger. */
export type Ledger = {
  reserve(request: RequestOf<typeof reserveSlots>, by: By): Promise<ResponseOf<typeof reserveSlots>>;
  release(request: RequestOf<typeof releaseIntent>): Promise<ResponseOf<typeof releaseIntent>>;
  beginAuthorisation(
    request: RequestOf<typeof beginAuthorisation>,
    by: By,
  ): Promise<ResponseOf<typeof beginAuthorisation>>;
  findGroup(request: RequestOf<typeof findGroup>): Promise<KnownGroup>;
  findGroupByPageToken(pageToken: string): Promise<KnownGroup>;
  rollPageToken(request: RequestOf<typeof rollPageToken>): Promise<ResponseOf<typeof rollPageToken>>;
  findIntent(request: RequestOf<typeof findIntent>): Promise<ResponseOf<typeof findIntent>>;
  hideName(request: RequestOf<typeof hideName>): Promise<ResponseOf<typeof hideName>>;
};

/** The call that mails to payers, and the page behind their links, need besides. */
export type PaymentLists = {
  listPayments(request: RequestOf<typeof listPayments>): Promise<ResponseOf<typeof listPayments>>;
};

/** The calls of checkout to the adapter of a gateway. */
export type Gateways = {
  prepare(psp: string, request: RequestOf<Prepare>, by: By): Promise<ResponseOf<Prepare>>;
};

/** The dependencies of minting sessions. */
export type SessionParts = {
  readonly db: Db;
  readonly seal: Seal;
  readonly wakeRelay: () => void;
};
