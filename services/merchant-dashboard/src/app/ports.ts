import type * as contracts from '@gp/contracts';
import type { CommandOf, GatewayConnection, Mode, PspCode, RequestOf, ResponseOf } from '@gp/contracts';
import type { Mailbox } from '@gp/mail';
import type { Db } from '@gp/pg';
import type { Seal } from '@gp/seal';
import type { Merchant } from '../db/merchants.ts';
import type { Mailer } from './mail/mail.ts';
import type { Passwords } from './account/passwords.ts';
import type { Limits } from './account/tries.ts';
import type { ChangeStreams } from './live/change-streams.ts';
import type { Downloads } from './downloads.ts';

type Call<C> = (request: RequestOf<C>) => Promise<ResponseOf<C>>;

/**
 * The dashboard's calls to other services: adapters keep the secrets, the ledger the money, checkout the sessions, the
 * dispatcher the webhooks, the scheduler the test clocks, the edge the log of requests. Each call ends by its own deadline and rejects with an
 * AppError.
 */
export type ServiceCalls = {
  putCredentials(
    psp: PspCode,
    request: { merchant_id: string; mode: Mode; credentials: Record<string, string> },
  ): Promise<{ version: number; verified?: boolean }>;
  verifyCredentials(
    psp: PspCode,
    request: { merchant_id: string; mode: Mode; version: number },
  ): Promise<{ valid: boolean; reason: string | null }>;
  noteGateway(connection: GatewayConnection): Promise<void>;
  rollCheckoutLink: Call<typeof contracts.rollCheckoutLink>;
  rollOrganiserToken: Call<typeof contracts.rollOrganiserToken>;
  revokeSessions(group: { merchant_id: string; mode: Mode; group_id: string }): Promise<{ epoch: number }>;
  createGroup(
    command: CommandOf<typeof contracts.createGroup>,
  ): Promise<ResponseOf<typeof contracts.createGroup>>;
  listGroups: Call<typeof contracts.listGroups>;
  sumGroups: Call<typeof contracts.sumGroups>;
  searchGroups: Call<typeof contracts.searchGroups>;
  listCustomers: Call<typeof contracts.listCustomers>;
  findCustomer: Call<typeof contracts.findCustomer>;
  searchCustomers: Call<typeof contracts.searchCustomers>;
  listPaymentsOfCustomer: Call<typeof contracts.listPaymentsOfCustomer>;
  describeGroup: Call<typeof contracts.describeGroup>;
  listPayments: Call<typeof contracts.listPayments>;
  listPaymentsOfGroups: Call<typeof contracts.listPaymentsOfGroups>;
  previewRefund: Call<typeof contracts.previewRefund>;
  cancelGroup: Call<typeof contracts.cancelGroup>;
  sumMoney: Call<typeof contracts.sumMoney>;
  findBalance: Call<typeof contracts.findBalance>;
  /** All statements of the period, however many messages the replies take; `skip` is where they begin. */
  findStatement: Call<typeof contracts.findStatement>;
  listMovements: Call<typeof contracts.listMovements>;
  countOpenGroups: Call<typeof contracts.countOpenGroups>;
  requestRefund: Call<typeof contracts.requestRefund>;
  createEndpoint: Call<typeof contracts.createEndpoint>;
  listEndpoints: Call<typeof contracts.listEndpoints>;
  findEndpoint: Call<typeof contracts.findEndpoint>;
  updateEndpoint: Call<typeof contracts.updateEndpoint>;
  deleteEndpoint: Call<typeof contracts.deleteEndpoint>;
  rollSecret: Call<typeof contracts.rollSecret>;
  listDeliveries: Call<typeof contracts.listDeliveries>;
  listGroupDeliveries: Call<typeof contracts.listGroupDeliveries>;
  resendDelivery: Call<typeof contracts.resendDelivery>;
  sendTestEvent: Call<typeof contracts.sendTestEvent>;
  startRecovery: Call<typeof contracts.startRecovery>;
  findRecovery: Call<typeof contracts.findRecovery>;
  sumAttempts: Call<typeof contracts.sumAttempts>;
  listEvents: Call<typeof contracts.listEvents>;
  findEvent: Call<typeof contracts.findEvent>;
  listRequestLogs: Call<typeof contracts.listRequestLogs>;
  findRequestLog: Call<typeof contracts.findRequestLog>;
  findTestClock: Call<typeof contracts.findTestClock>;
  advanceTestClock: Call<typeof contracts.advanceTestClock>;
  resetTestClock: Call<typeof contracts.resetTestClock>;
};

/** Opens accounts at the sandbox, for merchants who have no gateway account yet. */
export type SandboxAccounts = {
  open(psp: PspCode, merchant: Pick<Merchant, 'id' | 'name'>): Promise<Record<string, string>>;
};

/** The addresses of the rest of the platform, as users' browsers reach them. */
export type Addresses = {
  readonly dashboard: string;
  readonly api: string;
  readonly checkout: string;
  /** Set only in trial stacks. */
  readonly sandbox: string | null;
};

export type DashboardParts = {
  readonly db: Db;
  readonly wakeRelay: () => void;
  readonly services: ServiceCalls;
  readonly pepper: { readonly id: string; readonly key: Buffer };
};

/** Parts that the web application's routes need and the command line does not. */
export type WebParts = DashboardParts & {
  /** Null where the installation sends no mail. */
  readonly mailer: Mailer | null;
  /** Set only in trial stacks. */
  readonly mailbox: Mailbox | null;
  /** Encrypts the secrets of second factors at rest. */
  readonly seal: Seal;
  readonly limits: Limits;
  readonly passwords: Passwords;
  /** Bounds the files that are sent at once. */
  readonly downloads: Downloads;
  readonly addresses: Addresses;
  readonly sandbox: SandboxAccounts | null;
  /** The live streams of pages. */
  readonly changes: Pick<ChangeStreams, 'open'>;
};

/** The author of an action: a user of the merchant, or an operator at the command line, with the verified key. */
export type Actor = { readonly merchantId: string; readonly name: string; readonly operatorKey?: string };
