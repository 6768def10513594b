import type { Seal } from '@gp/seal';
import type { Authenticate } from '../app/callers/authenticate.ts';
import type { confirmPayment } from '../app/payments/confirm-payment.ts';
import type { TestPayments } from '../app/payments/test-payments.ts';
import type { OriginDirectory } from '../app/directories/origin-directory.ts';
import type { OnceOnly } from '../app/idempotency/once-only.ts';
import type { ServiceCalls } from '../app/ports.ts';
import type { RequestLogs } from '../app/request-logs/request-logs.ts';
import type { FollowEvents } from '../app/events/follow-events.ts';
import type {
  Admission,
  NotePayment,
  PayerAdmission,
  PaymentAdmission,
  StreamAdmission,
} from './request/admission.ts';
import type { CrossOrigin } from './request/cors.ts';
import type { GroupPaymentViews } from './group-payments/group-payment.view.ts';

/** The dependencies of the routes. */
export type RouteParts = {
  readonly authenticate: Authenticate;
  readonly admit: Admission;
  readonly admitPayment: PaymentAdmission;
  readonly admitPayer: PayerAdmission;
  readonly notePayment: NotePayment;
  readonly admitStream: StreamAdmission;
  readonly cors: CrossOrigin;
  readonly once: OnceOnly;
  readonly confirm: ReturnType<typeof confirmPayment>;
  readonly testPayments: TestPayments;
  readonly services: ServiceCalls;
  readonly findOrganiserRights: OriginDirectory['findOrganiserRights'];
  readonly followEvents: FollowEvents;
  readonly views: GroupPaymentViews;
  readonly requestLogs: RequestLogs;
  /** Seals cursors, so that no client can read or forge one. */
  readonly seal: Seal;
};
