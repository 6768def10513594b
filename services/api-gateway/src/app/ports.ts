import type * as contracts from '@gp/contracts';
import type { CommandOf, RequestOf, ResponseOf } from '@gp/contracts';

type Call<C> = (request: RequestOf<C>) => Promise<ResponseOf<C>>;

/** The calls of api-gateway to other services. Each ends by its own deadline and rejects with an AppError. */
export type ServiceCalls = {
  createGroup(
    command: CommandOf<typeof contracts.createGroup>,
  ): Promise<ResponseOf<typeof contracts.createGroup>>;
  findGroup: Call<typeof contracts.findGroup>;
  listGroups: Call<typeof contracts.listGroups>;
  findIntent: Call<typeof contracts.findIntent>;
  listPayments: Call<typeof contracts.listPayments>;
  /** All groups of the request, however many messages the replies take. */
  listPaymentsOfGroups: Call<typeof contracts.listPaymentsOfGroups>;
  listPaymentsOfCustomer: Call<typeof contracts.listPaymentsOfCustomer>;
  listCustomers: Call<typeof contracts.listCustomers>;
  findCustomer: Call<typeof contracts.findCustomer>;
  findCustomers: Call<typeof contracts.findCustomers>;
  findBalance: Call<typeof contracts.findBalance>;
  /** All statements of the period, however many messages the replies take; `skip` is where they begin. */
  findStatement: Call<typeof contracts.findStatement>;
  cancelGroup: Call<typeof contracts.cancelGroup>;
  updateGroup: Call<typeof contracts.updateGroup>;
  startPayment: Call<typeof contracts.startPayment>;
  /** `deadline` is epoch ms: both steps of a confirmation share one. */
  beginConfirmation(
    request: RequestOf<typeof contracts.beginConfirmation>,
    deadline: number,
  ): Promise<ResponseOf<typeof contracts.beginConfirmation>>;
  confirmIntent(
    request: RequestOf<ReturnType<typeof contracts.confirmIntent>>,
    deadline: number,
  ): Promise<ResponseOf<ReturnType<typeof contracts.confirmIntent>>>;
  findPayers: Call<typeof contracts.findPayers>;
  /** `deadline` is epoch ms: all steps of a test payment share one. */
  playPayer(
    request: RequestOf<typeof contracts.playPayer>,
    deadline: number,
  ): Promise<ResponseOf<typeof contracts.playPayer>>;
  authenticatePayer(
    request: RequestOf<typeof contracts.authenticatePayer>,
    deadline: number,
  ): Promise<ResponseOf<typeof contracts.authenticatePayer>>;
  requestRefund: Call<typeof contracts.requestRefund>;
  rollCheckoutLink: Call<typeof contracts.rollCheckoutLink>;
  rollOrganiserToken: Call<typeof contracts.rollOrganiserToken>;
  mintSession: Call<typeof contracts.mintSession>;
  listSigningKeys: Call<typeof contracts.listSigningKeys>;
  createEndpoint: Call<typeof contracts.createEndpoint>;
  listEndpoints: Call<typeof contracts.listEndpoints>;
  findEndpoint: Call<typeof contracts.findEndpoint>;
  updateEndpoint: Call<typeof contracts.updateEndpoint>;
  deleteEndpoint: Call<typeof contracts.deleteEndpoint>;
  rollSecret: Call<typeof contracts.rollSecret>;
  listDeliveries: Call<typeof contracts.listDeliveries>;
  resendDelivery: Call<typeof contracts.resendDelivery>;
  sendTestEvent: Call<typeof contracts.sendTestEvent>;
  startRecovery: Call<typeof contracts.startRecovery>;
  findRecovery: Call<typeof contracts.findRecovery>;
  listEvents: Call<typeof contracts.listEvents>;
  findEvent: Call<typeof contracts.findEvent>;
  locateEvent: Call<typeof contracts.locateEvent>;
  followEvents: Call<typeof contracts.followEvents>;
  findTestClock: Call<typeof contracts.findTestClock>;
  advanceTestClock: Call<typeof contracts.advanceTestClock>;
  resetTestClock: Call<typeof contracts.resetTestClock>;
};
