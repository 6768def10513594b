import type {
  DeliveryView,
  EndpointView,
  EventType,
  GroupState,
  IntentState,
  Mode,
  PspCode,
  RecoveryView,
  SentEvent,
  SlotState,
} from '@gp/contracts';
import type { Permission, Role } from '../domain/roles.ts';

/**
 * What the dashboard's web application asks and is told: types alone, shared by the routes and the pages. Instants are
 * ISO 8601 in UTC. Errors have the shape of the public API: `{error, message, code, param?, request_id}`.
 */
export type { EventType, GroupState, IntentState, Mode, Permission, PspCode, Role, SlotState };

/** An amount of money; `text` has all decimals of its currency, for `Intl.NumberFormat`. */
export type Money = { readonly minor: string; readonly currency: string; readonly text: string };

/* --- who is here --- */

/** POST /api/login. Until `second_factor` is given by POST /api/login/second-factor, the session opens nothing else. */
export type LoggedIn = {
  readonly merchant_id: string;
  readonly email: string;
  readonly role: Role;
  readonly second_factor_required: boolean;
};
/** GET /api/me */
export type Me = {
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly email: string;
  readonly role: Role;
  readonly permissions: readonly Permission[];
  readonly has_second_factor: boolean;
  readonly recovery_codes_left: number;
  /** Until when keys may be made and gateways changed without proving again who one is. */
  readonly proved_until: string;
  /** Where this machine's mail can be read, in a stack for trying out; null elsewhere. */
  readonly mailbox: string | null;
};
/** GET /api/profile/sessions */
export type SessionItem = {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly is_this: boolean;
};
/** POST /api/profile/second-factor: shown once; it counts from its first code on. */
export type NewSecondFactor = { readonly secret: string; readonly otpauth_url: string };
/** POST /api/profile/second-factor/confirm and …/recovery-codes: shown once. */
export type RecoveryCodes = { readonly recovery_codes: readonly string[] };

/** GET /api/team */
export type Team = {
  readonly members: readonly TeamMember[];
  readonly invitations: readonly Invitation[];
};
export type TeamMember = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly has_second_factor: boolean;
  readonly joined_at: string;
  readonly last_seen_at: string | null;
  readonly is_you: boolean;
};
export type Invitation = {
  readonly id: string;
  readonly email: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly created_at: string;
  readonly expires_at: string;
};
/** POST /api/invitations/look */
export type InvitationOffer = { readonly merchant_name: string; readonly email: string; readonly role: Role };

/** GET /api/audit?cursor=&limit=&action=; GET /api/audit/export?format=csv|jsonl */
export type AuditPage = { readonly entries: readonly AuditEntry[]; readonly next_cursor: string | null };
export type AuditEntry = {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/* --- keys and gateways --- */

/** GET /api/keys?mode= → {keys}; POST /api/keys {mode, name} and POST /api/keys/{id}/roll {overlap_seconds} → CreatedKey */
export type ApiKey = {
  readonly id: string;
  readonly mode: Mode;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly created_by: string;
  readonly created_at: string;
  /** When a rolled key stops working. */
  readonly ends_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_from: string | null;
};
export type ListedKey = ApiKey & {
  readonly seen_in_browsers: readonly {
    readonly origin: string;
    readonly count: number;
    readonly first_seen_at: string;
    readonly last_seen_at: string;
  }[];
};
export type CreatedKey = ApiKey & { readonly key: string };

/** GET /api/gateways?mode= → {gateways}: `open_groups` are those that wait for it, null when the ledger is away. */
export type Gateway = {
  readonly mode: Mode;
  readonly psp_code: PspCode;
  readonly version: number;
  readonly active: boolean;
  readonly connected_at: string;
};
export type ListedGateway = Gateway & { readonly open_groups: number | null };

/* --- group payments: /api/{mode}/group-payments --- */

/** What of a group's total is held and not captured, captured and not given back, and given back. */
export type GroupMoney = { readonly held: Money; readonly captured: Money; readonly refunded: Money };
export type GroupPaymentItem = {
  readonly id: string;
  readonly group_name: string;
  readonly merchant_order_id: string;
  readonly total: Money;
  readonly state: GroupState;
  readonly expires_at: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly checkout_url: string;
};
/** An item of the list. */
export type ListedGroupPayment = GroupPaymentItem & { readonly money?: GroupMoney };
/** GET /api/{mode}/group-payments?state=&created_after=&created_before=&merchant_order_id=&limit=&offset=&cursor= */
export type GroupPaymentPage = {
  readonly group_payments: readonly ListedGroupPayment[];
  readonly pagination: {
    readonly limit: number;
    readonly total: number;
    readonly next_cursor: string | null;
  };
};
export type GroupPaymentSlot = {
  readonly id: string;
  readonly sequence_no: number;
  readonly amount: Money;
  readonly state: SlotState;
  readonly reserved_until: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The payment that holds or paid it. */
  readonly payment_intent_id: string | null;
};
export type GroupPaymentIntent = {
  readonly id: string;
  readonly psp_code: PspCode;
  readonly state: IntentState;
  readonly amount: Money;
  readonly captured: Money;
  readonly refunded: Money;
  readonly slot_ids: readonly string[];
  readonly payer: { readonly email: string; readonly name: string | null };
  /** The gateway's answer is not known yet. */
  readonly is_unknown: boolean;
  readonly is_disputed: boolean;
  readonly failure: { readonly code: string; readonly message: string } | null;
  readonly created_at: string;
};
/** One thing that happened. `trace_id` finds it in the traces; `command` is set where an API call or a person asked. */
export type TimelineEntry = {
  readonly at: string;
  readonly kind: 'group' | 'payment' | 'webhook';
  /** A word of ours for what happened, e.g. `preauthorised`, `captured`, `expired`, `delivered`. */
  readonly what: string;
  readonly from: string | null;
  readonly actor: string;
  readonly trace_id: string | null;
  readonly is_command: boolean;
  readonly payment_intent_id: string | null;
  readonly webhook: {
    readonly endpoint_id: string;
    readonly url: string;
    readonly event_id: string;
    readonly event_type: EventType;
    readonly attempts: number;
    readonly next_attempt_at: string | null;
  } | null;
};
/** GET /api/{mode}/group-payments/{id} */
export type GroupPaymentDetail = {
  readonly group_payment: GroupPaymentItem & { readonly metadata: Readonly<Record<string, unknown>> };
  readonly slots: readonly GroupPaymentSlot[];
  readonly payments: readonly GroupPaymentIntent[];
  readonly money: GroupMoney;
  readonly timeline: readonly TimelineEntry[];
  /** Older entries were left out. */
  readonly is_timeline_cut: boolean;
  /** The dispatcher could not be asked: webhooks are missing from the timeline. */
  readonly is_webhooks_missing: boolean;
  readonly can_cancel: boolean;
  readonly can_refund: boolean;
};
/** GET /api/{mode}/group-payments/{id}/refund-preview?slot_ids=a,b: whole without slots. */
export type RefundPreview = {
  readonly total: Money;
  readonly payments: readonly {
    readonly payment_intent_id: string;
    readonly psp_code: PspCode;
    readonly amount: Money;
    readonly payer_email: string;
    readonly slot_ids: readonly string[];
    /** Slots that were not chosen and are refunded with it, because one payment covers them. */
    readonly other_slot_ids: readonly string[];
    /** Why it will not be refunded; null when it will be tried. */
    readonly obstacle: string | null;
  }[];
};
/** POST /api/{mode}/group-payments/{id}/refund {slot_ids?} with an Idempotency-Key; 200 also when nothing came back. */
export type RefundResult = {
  readonly refunded_payment_intents: readonly string[];
  readonly refunded_slot_ids: readonly string[];
  readonly failed: readonly {
    readonly payment_intent_id: string;
    readonly psp_code: PspCode;
    readonly error: string;
  }[];
  readonly group_state: GroupState;
};

/* --- webhooks: /api/{mode}/webhooks --- */

/** GET …/webhooks → {endpoints}; GET|PATCH|DELETE …/webhooks/{id}; POST …/webhooks → CreatedEndpoint */
export type Endpoint = EndpointView;
export type EndpointHealth = {
  readonly endpoint_id: string;
  /** Of the last 24 hours. */
  readonly acknowledged: number;
  readonly failed: number;
  /** Now. */
  readonly pending: number;
  readonly held: number;
  readonly last_acknowledged_at: string | null;
};
export type EndpointList = {
  readonly endpoints: readonly Endpoint[];
  readonly health: readonly EndpointHealth[];
};
export type CreatedEndpoint = Endpoint & { readonly secret: string };
/** POST …/webhooks/{id}/roll-secret {overlap_seconds: 0|3600|86400|604800} */
export type RolledEndpoint = CreatedEndpoint & { readonly previous_secrets_end_at: string | null };
/** GET …/webhooks/{id}/deliveries?state=&event_type=&cursor=&limit=; POST …/webhooks/{id}/test {event_type} → Delivery */
export type Delivery = DeliveryView;
export type DeliveryPage = { readonly deliveries: readonly Delivery[]; readonly next_cursor: string | null };
/** POST …/webhooks/{id}/deliveries/{delivery_id}/resend → Delivery */
/** POST …/webhooks/{id}/recover {since, until?}; GET …/webhooks/{id}/recoveries/{recovery_id} */
export type Recovery = RecoveryView;

/** GET /api/{mode}/events?type=&group_payment_id=&created_after=&created_before=&delivered=&cursor=&limit= */
export type EventPage = { readonly events: readonly SentEvent[]; readonly next_cursor: string | null };
/** GET /api/{mode}/events/{id} */
export type Event = SentEvent;

/* --- charts --- */

/** GET /api/{mode}/charts/money?days=30: UTC days of the merchant's time, oldest first, days without money included. */
export type MoneyChart = {
  readonly now: string;
  readonly currencies: readonly {
    readonly currency: string;
    readonly days: readonly {
      readonly day: string;
      readonly held: Money;
      readonly captured: Money;
      readonly refunded: Money;
    }[];
    readonly totals: { readonly held: Money; readonly captured: Money; readonly refunded: Money };
  }[];
  /** Group payments made in the period, by the state they are in now. */
  readonly groups: readonly { readonly state: GroupState; readonly count: number }[];
};
/** GET /api/{mode}/charts/webhooks?days=7 */
export type WebhookChart = {
  readonly days: readonly {
    readonly day: string;
    readonly acknowledged: number;
    readonly failed: number;
    /** Share of attempts that were acknowledged, 0 to 1; null on a day without any. */
    readonly success_rate: number | null;
  }[];
};

/* --- test mode only: /api/test/clock --- */

/** GET /api/test/clock; POST …/advance {seconds}; POST …/reset {} */
export type TestClock = {
  readonly now: string;
  readonly ahead_seconds: number;
  readonly remaining_seconds: number;
  readonly state: 'settled' | 'advancing';
};

/** GET /api/{mode}/setup: what a merchant has done so far, for pages that teach while they are empty. */
export type Setup = {
  readonly has_key: boolean;
  readonly active_gateway: PspCode | null;
  readonly has_group_payment: boolean;
  readonly has_webhook: boolean;
  /** Where the public API is served, for the examples. */
  readonly api_url: string;
  /** Where the checkout pages and the widget's script are served. */
  readonly checkout_url?: string;
  /** Where the sandbox is, in a stack for trying out; null elsewhere. */
  readonly sandbox_url: string | null;
};
/**
 * POST /api/test/first-payment {group_name?, total_amount?, currency?, number_of_slots?, expires_in_seconds?} with an
 * Idempotency-Key: makes a group payment, so that one sees what one is like; a small one of what is left out. The amount is
 * a text, such as `30.00`.
 */
export type FirstPayment = { readonly id: string; readonly checkout_url: string };
