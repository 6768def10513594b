// Written by `npm run generate` from openapi.json.

export type AdvanceTestClockRequest = {
  /** How far to go forward: at most 30 days. */
  readonly seconds: number;
};

export type Balance = {
  /** The gateway that carried the payments. */
  readonly psp_code: PspCode;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** What is held on cards and was not captured, in currency units. */
  readonly amount_on_hold: number;
  /** What was captured, without what was refunded or reversed, in currency units. Fees and payouts of the gateway are not known here. */
  readonly amount_net: number;
  /** How much of the net amount is tips. */
  readonly amount_tips: number;
  /** What was placed on cards. */
  readonly amount_held: number;
  /** What was held and given back without a capture. */
  readonly amount_released: number;
  /** What was captured. */
  readonly amount_captured: number;
  /** What was refunded, in the dashboard of the gateway as well as here. */
  readonly amount_refunded: number;
  /** What came back of refunds, because a bank refused them. */
  readonly amount_returned: number;
  /** What the card scheme took back of captures. */
  readonly amount_reversed: number;
  /** What is left of payments whose dispute, begun then, is open or was lost. It is part of the net amount: whether a gateway has taken it is not known here. It is 0 again once a dispute has ended without a loss. */
  readonly amount_disputed: number;
};

/** Where the money stands at one moment. */
export type BalanceAmounts = {
  /** What is held on cards and was not captured, in currency units. */
  readonly amount_on_hold: number;
  /** What was captured, without what was refunded or reversed, in currency units. Fees and payouts of the gateway are not known here. */
  readonly amount_net: number;
  /** How much of the net amount is tips. */
  readonly amount_tips: number;
};

export type BalanceList = {
  /** One for each gateway and currency in which there was ever a hold; the movements are those since then. */
  readonly balances: readonly Balance[];
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
};

/** What moved, in currency units. */
export type BalanceMovements = {
  /** What was placed on cards. */
  readonly amount_held: number;
  /** What was held and given back without a capture. */
  readonly amount_released: number;
  /** What was captured. */
  readonly amount_captured: number;
  /** What was refunded, in the dashboard of the gateway as well as here. */
  readonly amount_refunded: number;
  /** What came back of refunds, because a bank refused them. */
  readonly amount_returned: number;
  /** What the card scheme took back of captures. */
  readonly amount_reversed: number;
  /** What is left of payments whose dispute, begun then, is open or was lost. It is part of the net amount: whether a gateway has taken it is not known here. It is 0 again once a dispute has ended without a loss. */
  readonly amount_disputed: number;
};

/** The minimum from which what is held is captured when the time to pay runs out; absent where everything is released then. */
export type CaptureAtExpiry = {
  /** How much must be held, in currency units. */
  readonly minimum_amount?: number;
  /** How many slots must be held by then. */
  readonly minimum_slots?: number;
};

/** What happens when the time to pay runs out and some slots are held. Left out or null, every hold is released and nobody is charged. With a minimum, what is held is captured where it reaches the minimum, and the group payment becomes `partially_paid`; the other slots become `expired`. The pages tell payers so before they pay. */
export type CaptureAtExpiryRequest = {
  /** How much must be held by then, in currency units, at most `total_amount`. */
  readonly minimum_amount?: number;
  /** How many slots must be held by then. */
  readonly minimum_slots?: number;
};

export type ConfirmRequest = {
  /** From the pay response. */
  readonly payment_intent_id: string;
  readonly card: EncryptedCard;
  /** The page the payer comes back to when the card issuer wants to authenticate the payer at a page of its own: on a registered origin of yours, or the `checkout_url`. Without it such a card is refused with `authentication_required`. */
  readonly return_url?: string;
};

export type ConfirmResponse = {
  /** `preauthorised`: the amount is held on the card. `requires_action`, only after a request with `return_url`: the payer follows `next_action`. */
  readonly status: ConfirmStatus;
  readonly next_action?: NextAction;
};

export type ConfirmStatus = 'preauthorised' | 'requires_action';

export type CreateGroupPaymentRequest = {
  /** What payers see. */
  readonly group_name: string;
  /** Sum of all slots, in currency units, with at most the decimals of the currency. */
  readonly total_amount: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** In the future, at most 7 days ahead, with a time zone offset. */
  readonly expires_at: string;
  /** Your own name of it, an order number for example, by which the list is filtered. It need not be unique, and payers never see it. */
  readonly client_reference?: string;
  /** Free key/value pairs: at most 50 keys and 16 kB as JSON, where a number counts with all its digits. Numbers lie between -9007199254740991 and 9007199254740991: send larger ones as text. */
  readonly metadata?: Metadata;
  readonly distribution: Distribution;
  readonly organiser?: OrganiserRequest | null;
  readonly capture_at_expiry?: CaptureAtExpiryRequest | null;
  readonly tips?: TipsRequest | null;
};

export type CreateSessionRequest = {
  /** Lifetime of the token in seconds; 1800 unless told. */
  readonly expires_in?: number;
  /** The only payer the token can pay for. The token does not hold the address. */
  readonly customer_email?: string;
  /** The only slots the token can pay. */
  readonly slot_ids?: readonly string[];
};

export type CreateWebhookRequest = {
  /** Where to send events: https, or http on localhost. Characters that a URI cannot contain are stored percent-encoded, a host name in Punycode. */
  readonly url: string;
  /** For your own use. */
  readonly description?: string;
  /** The events to send; none means all. */
  readonly event_types?: readonly EventType[];
};

export type CreatedWebhookEndpoint = {
  /** Id of the endpoint. */
  readonly id: string;
  /** Where events are sent: https, or http on localhost. */
  readonly url: string;
  /** For your own use. */
  readonly description: string | null;
  /** Whether events are sent. */
  readonly enabled: boolean;
  /** The events to send; none means all. */
  readonly event_types: readonly EventType[];
  /** When it was registered. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
  /** Signing secret, shown this once. */
  readonly secret: string;
};

export type CursorPagination = {
  /** Most items of a page. */
  readonly limit: number;
  /** Whether there is a page after this one. */
  readonly has_more: boolean;
  /** What to give as cursor for the next page; null on the last one. */
  readonly next_cursor: string | null;
};

export type CustomDistribution = {
  readonly type: 'custom';
  /** The slots in their order; their amounts sum to total_amount. */
  readonly slots: readonly CustomSlot[];
};

export type CustomSlot = {
  /** Price of the slot, in currency units. */
  readonly amount: number;
  /** Free key/value pairs: at most 50 keys and 16 kB as JSON, where a number counts with all its digits. Numbers lie between -9007199254740991 and 9007199254740991: send larger ones as text. */
  readonly metadata?: Metadata;
  /** What the slot is for, such as `Starter and wine`. */
  readonly label?: string;
};

export type Customer = {
  /** Id of the customer. */
  readonly customer_id: string;
  /** The payer's e-mail address, in lower case; one under `.invalid` once it was erased. */
  readonly customer_email: string;
  /** The payer's latest name; null when none was given. */
  readonly customer_name: string | null;
  /** When their first payment was started. */
  readonly created_at: string;
  /** When their latest payment was started. */
  readonly last_payment_at: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** How many payments are in each state; states without one are left out. */
  readonly payment_counts: readonly CustomerPaymentCount[];
  /** The sums of all payments, one for each currency in which one was started. */
  readonly amounts: readonly CustomerAmounts[];
};

export type CustomerAmounts = {
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** What is held on cards and was not captured, in currency units. */
  readonly amount_on_hold: number;
  /** What was captured, in currency units. */
  readonly amount_captured: number;
  /** What of that was given back, in currency units. */
  readonly amount_refunded: number;
};

export type CustomerList = {
  /** The one with the latest payment first. */
  readonly customers: readonly CustomerListItem[];
  readonly pagination: CursorPagination;
};

/** Somebody who started a payment, known by an e-mail address. */
export type CustomerListItem = {
  /** Id of the customer. */
  readonly customer_id: string;
  /** The payer's e-mail address, in lower case; one under `.invalid` once it was erased. */
  readonly customer_email: string;
  /** The payer's latest name; null when none was given. */
  readonly customer_name: string | null;
  /** When their first payment was started. */
  readonly created_at: string;
  /** When their latest payment was started. */
  readonly last_payment_at: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
};

export type CustomerPaymentCount = {
  /** A state of payments. */
  readonly state: PaymentState;
  /** How many of their payments are in it. */
  readonly count: number;
};

export type DeletedWebhookEndpoint = {
  /** Id of the endpoint. */
  readonly id: string;
  /** Whether it is gone. */
  readonly deleted: boolean;
};

/** How the total is split into 1 to 30 slots. */
export type Distribution = EqualDistribution | CustomDistribution;

export type EncryptedCard = {
  /** As on the card. */
  readonly cardholder_name: string;
  /** The card number as the card field encrypted it. */
  readonly encrypted_card_number: string;
  /** Month of expiry. */
  readonly expiration_month: number;
  /** Year of expiry. */
  readonly expiration_year: number;
  /** The security code as the card field encrypted it. */
  readonly encrypted_security_code: string;
};

export type EqualDistribution = {
  readonly type: 'equally';
  /** Into how many slots. */
  readonly number_of_slots: number;
  /** One entry per slot, in their order. */
  readonly slot_metadata?: readonly SlotMetadata[];
  /** What each slot is for, one entry per slot in their order; null for none. */
  readonly slot_labels?: readonly (string | null)[];
};

export type ErrorDetail = {
  /** The field at fault. */
  readonly param: string;
  /** What is wrong with it, for a person. */
  readonly reason: string;
  /** The slot that the refusal is about, where it is about one. */
  readonly slot_id?: string;
};

export type ErrorResponse = {
  /** Short text of the status, such as Bad Request. */
  readonly error: string;
  /** What is wrong, for a person. */
  readonly message: string;
  /** Version of the API. */
  readonly version: string;
  /** What is wrong, for a program. */
  readonly code: string;
  /** Name of the request, for support. */
  readonly request_id: string;
  /** The field at fault. */
  readonly param?: string;
  /** Every fault of the request, or every slot it is refused for. */
  readonly details?: readonly ErrorDetail[];
  /** A likely cause or a remedy that the message does not name, for a person. */
  readonly hint?: string;
  /** Where the reference explains the code. */
  readonly doc_url?: string;
};

/** The body that webhook endpoints were sent; `type` decides what `data` has. */
export type Event =
  | PaymentIntentPreauthorisedEvent
  | PaymentIntentCapturedEvent
  | PaymentIntentRefundedEvent
  | PaymentIntentFailedEvent
  | GroupPaymentPartiallyPaidEvent
  | GroupPaymentPaidEvent
  | GroupPaymentPartiallyRefundedEvent
  | GroupPaymentRefundedEvent
  | PaymentIntentReleasedEvent
  | GroupPaymentExpiredEvent
  | GroupPaymentCancelledEvent
  | GroupPaymentCaptureFailedEvent
  | GroupPaymentRefundFailedEvent
  | PaymentIntentDisputedEvent
  | PaymentIntentDisputeClosedEvent
  | GroupPaymentUpdatedEvent;

export type EventList = {
  /** Newest first. */
  readonly events: readonly Event[];
  readonly pagination: CursorPagination;
};

export type EventType =
  | 'payment_intent.preauthorised'
  | 'payment_intent.captured'
  | 'payment_intent.refunded'
  | 'payment_intent.failed'
  | 'group_payment.partially_paid'
  | 'group_payment.paid'
  | 'group_payment.partially_refunded'
  | 'group_payment.refunded'
  | 'payment_intent.released'
  | 'group_payment.expired'
  | 'group_payment.cancelled'
  | 'group_payment.capture_failed'
  | 'group_payment.refund_failed'
  | 'payment_intent.disputed'
  | 'payment_intent.dispute_closed'
  | 'group_payment.updated';

export type FailedRefund = {
  /** The payment that was not refunded, or is not known to be. */
  readonly payment_intent_id: string;
  /** Its gateway. */
  readonly psp_code: PspCode;
  /** Why, for a program; the guide to errors lists the values. `outcome_unknown`: the refund may still succeed. */
  readonly code: string;
  /** Why, for a person. */
  readonly error: string;
};

export type FailureReason = {
  /** Why, for a program: `card_declined`, or one of those that the guide to errors lists. */
  readonly code: string;
  /** Why, for a person. */
  readonly message: string;
  /** Whether the same may succeed later by itself. A payer may always start another payment. */
  readonly retryable: boolean;
};

export type GatewayAPayment = {
  /** The merchant's active gateway. */
  readonly psp_code: 'gateway_a';
  /** Needed for confirm, and to follow the payment. */
  readonly payment_intent_id: string;
  /** Sum of the slots and the tip, in currency units. */
  readonly amount: number;
  /** What the payer added to the slots, in currency units; absent where that is nothing. */
  readonly tip?: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The slots this payment covers. */
  readonly slot_ids: readonly string[];
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** What the card elements confirm with. */
  readonly client_secret: string;
  /** The connected account. */
  readonly gateway_a_account_id: string;
  /** The platform's publishable key. */
  readonly publishable_key: string;
};

export type GatewayBPayment = {
  /** The merchant's active gateway. */
  readonly psp_code: 'gateway_b';
  /** Needed for confirm, and to follow the payment. */
  readonly payment_intent_id: string;
  /** Sum of the slots and the tip, in currency units. */
  readonly amount: number;
  /** What the payer added to the slots, in currency units; absent where that is nothing. */
  readonly tip?: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The slots this payment covers. */
  readonly slot_ids: readonly string[];
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Public team id of the card-encryption field. */
  readonly card_field_team_id: string;
  /** Public app id of the card-encryption field. */
  readonly card_field_app_id: string;
};

export type GatewayCForm = {
  /** Where to POST the form. */
  readonly url: string;
  /** Its hidden fields. */
  readonly body: Readonly<Record<string, string>>;
};

export type GatewayCPayment = {
  /** The merchant's active gateway. */
  readonly psp_code: 'gateway_c';
  /** Needed for confirm, and to follow the payment. */
  readonly payment_intent_id: string;
  /** Sum of the slots and the tip, in currency units. */
  readonly amount: number;
  /** What the payer added to the slots, in currency units; absent where that is nothing. */
  readonly tip?: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The slots this payment covers. */
  readonly slot_ids: readonly string[];
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  readonly gateway_c_form: GatewayCForm;
};

export type GatewayStatement = {
  /** The gateway that carried the payments. */
  readonly psp_code: PspCode;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  readonly opening: BalanceAmounts;
  readonly movements: BalanceMovements;
  readonly closing: BalanceAmounts;
  /** The days with a movement, oldest first, with the balance at their end. */
  readonly days: readonly StatementDay[];
};

export type GroupPayment = {
  /** Id of the group payment. */
  readonly id: string;
  /** The merchant it belongs to. */
  readonly merchant_id: string;
  /** What payers see. */
  readonly group_name: string;
  /** Order number, generated, unique per merchant. */
  readonly merchant_order_id: string;
  /** Your own name of it, given at creation; null without one, and for session tokens. */
  readonly client_reference: string | null;
  /** Sum of all slots, in currency units. */
  readonly total_amount: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** When collecting ends. */
  readonly expires_at: string;
  /** Where the group payment is in its life; the guide to states says what each means. */
  readonly state: GroupPaymentState;
  /** The key/value pairs given at creation, or by the latest update. */
  readonly metadata: Metadata;
  readonly organiser?: Organiser;
  readonly capture_at_expiry?: CaptureAtExpiry;
  readonly tips?: Tips;
  /** When it was created. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
};

export type GroupPaymentCancelledData = {
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'cancelled';
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** What was captured so far, tips included, in currency units. */
  readonly amount_captured: number;
  /** What of that was given back, in currency units. */
  readonly amount_refunded: number;
};

export type GroupPaymentCancelledEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'group_payment.cancelled';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: GroupPaymentCancelledData;
};

export type GroupPaymentCaptureFailedData = {
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'capture_failed';
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** What was captured so far, tips included, in currency units. */
  readonly amount_captured: number;
  /** What of that was given back, in currency units. */
  readonly amount_refunded: number;
};

export type GroupPaymentCaptureFailedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'group_payment.capture_failed';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: GroupPaymentCaptureFailedData;
};

export type GroupPaymentDetailExpansion = 'payments' | 'customers';

export type GroupPaymentExpansion = 'payments';

export type GroupPaymentExpiredData = {
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'expired';
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** What was captured so far, tips included, in currency units. */
  readonly amount_captured: number;
  /** What of that was given back, in currency units. */
  readonly amount_refunded: number;
};

export type GroupPaymentExpiredEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'group_payment.expired';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: GroupPaymentExpiredData;
};

export type GroupPaymentList = {
  /** Newest first. */
  readonly group_payments: readonly GroupPaymentListItem[];
  readonly pagination: Pagination;
};

export type GroupPaymentListItem = {
  /** Id of the group payment. */
  readonly id: string;
  /** The merchant it belongs to. */
  readonly merchant_id: string;
  /** What payers see. */
  readonly group_name: string;
  /** Order number, generated, unique per merchant. */
  readonly merchant_order_id: string;
  /** Your own name of it, given at creation; null without one, and for session tokens. */
  readonly client_reference: string | null;
  /** Sum of all slots, in currency units. */
  readonly total_amount: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** When collecting ends. */
  readonly expires_at: string;
  /** Where the group payment is in its life; the guide to states says what each means. */
  readonly state: GroupPaymentState;
  /** The key/value pairs given at creation, or by the latest update. */
  readonly metadata: Metadata;
  readonly organiser?: Organiser;
  readonly capture_at_expiry?: CaptureAtExpiry;
  readonly tips?: Tips;
  /** When it was created. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
  /** Public page where participants pay their slots. */
  readonly checkout_url: string;
  /** The organiser’s page. Everybody who has this link has the organiser’s rights: give it to one person. */
  readonly organiser_url?: string;
  readonly payments?: PaymentList;
};

export type GroupPaymentPaidData = {
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'paid';
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** What was captured so far, tips included, in currency units. */
  readonly amount_captured: number;
  /** What of that was given back, in currency units. */
  readonly amount_refunded: number;
};

export type GroupPaymentPaidEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'group_payment.paid';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: GroupPaymentPaidData;
};

export type GroupPaymentPartiallyPaidData = {
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'partially_paid';
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** What was captured so far, tips included, in currency units. */
  readonly amount_captured: number;
  /** What of that was given back, in currency units. */
  readonly amount_refunded: number;
};

export type GroupPaymentPartiallyPaidEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'group_payment.partially_paid';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: GroupPaymentPartiallyPaidData;
};

export type GroupPaymentPartiallyRefundedData = {
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'partially_refunded';
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** What was captured so far, tips included, in currency units. */
  readonly amount_captured: number;
  /** What of that was given back, in currency units. */
  readonly amount_refunded: number;
};

export type GroupPaymentPartiallyRefundedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'group_payment.partially_refunded';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: GroupPaymentPartiallyRefundedData;
};

export type GroupPaymentRefundFailedData = {
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'refund_failed';
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** What was captured so far, tips included, in currency units. */
  readonly amount_captured: number;
  /** What of that was given back, in currency units. */
  readonly amount_refunded: number;
};

export type GroupPaymentRefundFailedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'group_payment.refund_failed';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: GroupPaymentRefundFailedData;
};

export type GroupPaymentRefundedData = {
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'refunded';
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** What was captured so far, tips included, in currency units. */
  readonly amount_captured: number;
  /** What of that was given back, in currency units. */
  readonly amount_refunded: number;
};

export type GroupPaymentRefundedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'group_payment.refunded';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: GroupPaymentRefundedData;
};

export type GroupPaymentState =
  | 'draft'
  | 'expired'
  | 'cancelled'
  | 'open'
  | 'partially_preauthorised'
  | 'preauthorised'
  | 'capturing'
  | 'partially_paid'
  | 'paid'
  | 'capture_failed'
  | 'refunding'
  | 'partially_refunded'
  | 'refunded'
  | 'refund_failed';

export type GroupPaymentUpdatedData = {
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it is in: an update changes none. */
  readonly state: GroupPaymentState;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** What was captured so far, tips included, in currency units. */
  readonly amount_captured: number;
  /** What of that was given back, in currency units. */
  readonly amount_refunded: number;
  /** What payers see. */
  readonly group_name: string;
  /** When collecting ends. */
  readonly expires_at: string;
};

export type GroupPaymentUpdatedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'group_payment.updated';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: GroupPaymentUpdatedData;
};

export type GroupPaymentWithSlots = {
  readonly group_payment: GroupPayment;
  /** Every slot, by sequence_no. */
  readonly payment_slots: readonly PaymentSlot[];
  /** Public page where participants pay their slots. */
  readonly checkout_url: string;
  /** The organiser’s page. Everybody who has this link has the organiser’s rights: give it to one person. */
  readonly organiser_url?: string;
  readonly payments?: PaymentList;
  /** Only with `expand=customers`: every customer that the response names, once each, by the `customer_id` of payments and the `assigned_customer_id` of slots. */
  readonly customers?: readonly CustomerListItem[];
};

export type LoggedMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD';

export type Metadata = Readonly<Record<string, unknown>>;

export type NextAction = {
  /** Send the payer's browser to `url`. */
  readonly type: 'redirect';
  /** The card issuer's page; it is for this payer only. */
  readonly url: string;
};

/** The rights that the `organiser_url` gives; absent where the group payment has no organiser. */
export type Organiser = {
  /** What the organiser may do: `remind` payers who have not finished by mail, `extend` the time to pay, `cancel` the group payment. Without any, the organiser sees who is missing and can pay what is left. */
  readonly may: readonly OrganiserRight[];
  /** How far the organiser may extend the time to pay; null without that right. */
  readonly latest_expires_at: string | null;
};

/** Asks for an organiser: the answer has an `organiser_url` beside the `checkout_url`. Left out, the rights that your dashboard gives organisers by default count, which are none at first; null is no organiser, whatever they are. */
export type OrganiserRequest = {
  /** What the organiser may do: `remind` payers who have not finished by mail, `extend` the time to pay, `cancel` the group payment. Without any, the organiser sees who is missing and can pay what is left. */
  readonly may: readonly OrganiserRight[];
  /** With `extend` alone: how far the organiser may extend the time to pay, later than `expires_at` and at most 7 days ahead, with a time zone offset. A day after `expires_at` when omitted. */
  readonly latest_expires_at?: string;
};

export type OrganiserRight = 'remind' | 'extend' | 'cancel';

export type Pagination = {
  /** Most items of a page. */
  readonly limit: number;
  /** How many items were skipped; 0 after a cursor. */
  readonly offset: number;
  /** How many match the filter. */
  readonly total: number;
  /** Whether there are items after this page. */
  readonly has_more: boolean;
  /** What to give as cursor for the next page; null on the last one. */
  readonly next_cursor: string | null;
};

export type PayRequest = {
  /** Identifies the payer; a customer is created or reused for the merchant. */
  readonly customer_email: string;
  /** The payer's name. */
  readonly customer_name?: string;
  /** Shows `customer_name` at the slots to whoever has the link. Needs `customer_name`. */
  readonly show_name?: boolean;
  /** The slots to pay. When omitted: all that are unassigned now. */
  readonly slot_ids?: readonly string[];
  /** What the payer adds to the slots, in currency units: at most the `max_amount` of the `tips` of the group payment, and refused where it has none. */
  readonly tip?: number;
  /** The payer's time zone, in which times in mails to the payer are written; a name that is not known here is ignored. */
  readonly time_zone?: string;
};

/** A payment that was started; `psp_code` decides which further fields there are. */
export type PayResponse = GatewayAPayment | GatewayBPayment | GatewayCPayment;

export type Payment = {
  /** The payment. */
  readonly payment_intent_id: string;
  /** The group payment it belongs to. */
  readonly group_payment_id: string;
  /** The gateway that carries it. */
  readonly psp_code: PspCode;
  /** Where the payment is in its life; the guide to states says what each means. */
  readonly state: PaymentState;
  /** Whether the gateway has not told yet how its latest step ended. */
  readonly is_outcome_unknown: boolean;
  /** Whether the payer disputes it at the gateway. */
  readonly is_disputed: boolean;
  /** Sum of its slots and its tip, in currency units. */
  readonly amount: number;
  /** What the payer added to the slots, in currency units; absent where that is nothing. */
  readonly tip?: number;
  /** What was captured of it, in currency units. */
  readonly amount_captured: number;
  /** What of that was given back, in currency units. */
  readonly amount_refunded: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The slots it covers, or covered until it failed or was released. */
  readonly slot_ids: readonly string[];
  /** The payer: the `assigned_customer_id` of the slots that the payment holds. */
  readonly customer_id: string;
  /** The payer's e-mail address, in lower case; one under `.invalid` once it was erased. */
  readonly customer_email: string;
  /** The payer's latest name; null when none was given. */
  readonly customer_name: string | null;
  /** The name that is shown at the slots to whoever has the link; absent where none is shown. */
  readonly shown_name?: string;
  /** Its name at the gateway; null until the gateway has given one. */
  readonly gateway_reference: string | null;
  readonly failure: FailureReason | null;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** When it was started. */
  readonly created_at: string;
};

export type PaymentExpansion = 'customers';

export type PaymentFailure = {
  /** The step that failed. */
  readonly stage: 'authorise' | 'hold' | 'capture';
  /** Why, for a program. */
  readonly code: string;
  /** Why, for a person. */
  readonly message: string;
  /** Whether trying again may help. */
  readonly retryable: boolean;
};

export type PaymentIntentCapturedData = {
  /** The payment. */
  readonly payment_intent_id: string;
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'captured';
  /** The gateway that carries the payment. */
  readonly psp_code: PspCode;
  /** Sum of its slots and its tip, in currency units. */
  readonly amount: number;
  /** What the payer added to the slots, in currency units; absent where that is nothing. */
  readonly tip?: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The slots it covers. */
  readonly slot_ids: readonly string[];
};

export type PaymentIntentCapturedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'payment_intent.captured';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: PaymentIntentCapturedData;
};

export type PaymentIntentDisputeClosedData = {
  /** The payment. */
  readonly payment_intent_id: string;
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it is in: a dispute changes none. */
  readonly state: PaymentState;
  /** The gateway that carries the payment. */
  readonly psp_code: PspCode;
  /** Sum of its slots and its tip, in currency units. */
  readonly amount: number;
  /** What the payer added to the slots, in currency units; absent where that is nothing. */
  readonly tip?: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The slots it covers. */
  readonly slot_ids: readonly string[];
};

export type PaymentIntentDisputeClosedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'payment_intent.dispute_closed';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: PaymentIntentDisputeClosedData;
};

export type PaymentIntentDisputedData = {
  /** The payment. */
  readonly payment_intent_id: string;
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it is in: a dispute changes none. */
  readonly state: PaymentState;
  /** The gateway that carries the payment. */
  readonly psp_code: PspCode;
  /** Sum of its slots and its tip, in currency units. */
  readonly amount: number;
  /** What the payer added to the slots, in currency units; absent where that is nothing. */
  readonly tip?: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The slots it covers. */
  readonly slot_ids: readonly string[];
};

export type PaymentIntentDisputedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'payment_intent.disputed';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: PaymentIntentDisputedData;
};

export type PaymentIntentFailedData = {
  /** The payment. */
  readonly payment_intent_id: string;
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'failed' | 'void_pending' | 'voided' | 'capture_failed';
  /** The gateway that carries the payment. */
  readonly psp_code: PspCode;
  /** Sum of its slots and its tip, in currency units. */
  readonly amount: number;
  /** What the payer added to the slots, in currency units; absent where that is nothing. */
  readonly tip?: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The slots it covers. */
  readonly slot_ids: readonly string[];
  readonly failure: PaymentFailure;
};

export type PaymentIntentFailedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'payment_intent.failed';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: PaymentIntentFailedData;
};

export type PaymentIntentPreauthorisedData = {
  /** The payment. */
  readonly payment_intent_id: string;
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'preauthorised';
  /** The gateway that carries the payment. */
  readonly psp_code: PspCode;
  /** Sum of its slots and its tip, in currency units. */
  readonly amount: number;
  /** What the payer added to the slots, in currency units; absent where that is nothing. */
  readonly tip?: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The slots it covers. */
  readonly slot_ids: readonly string[];
};

export type PaymentIntentPreauthorisedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'payment_intent.preauthorised';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: PaymentIntentPreauthorisedData;
};

export type PaymentIntentRefundedData = {
  /** The payment. */
  readonly payment_intent_id: string;
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'refunded';
  /** The gateway that carries the payment. */
  readonly psp_code: PspCode;
  /** Sum of its slots and its tip, in currency units. */
  readonly amount: number;
  /** What the payer added to the slots, in currency units; absent where that is nothing. */
  readonly tip?: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The slots it covers. */
  readonly slot_ids: readonly string[];
  /** The refund that gave the money back. */
  readonly refund_id: string;
};

export type PaymentIntentRefundedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'payment_intent.refunded';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: PaymentIntentRefundedData;
};

export type PaymentIntentReleasedData = {
  /** The payment. */
  readonly payment_intent_id: string;
  /** The group payment it happened to. */
  readonly group_payment_id: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Place among the events of the group payment; an event below one already seen is stale. */
  readonly sequence: number;
  /** When it happened. */
  readonly occurred_at: string;
  /** Order number of the group payment; absent from events of earlier releases. */
  readonly merchant_order_id?: string;
  /** Your own name of the group payment, null without one; absent from events of earlier releases. */
  readonly client_reference?: string | null;
  /** The key/value pairs of the group payment at that moment, without those of its slots; absent from events of earlier releases. */
  readonly metadata?: Metadata;
  /** Only there, and true, when it was sent to try the endpoint out. */
  readonly is_test_event?: boolean;
  /** The state it came to. */
  readonly state: 'voided' | 'void_pending' | 'failed' | 'capture_failed' | 'processing';
  /** The gateway that carries the payment. */
  readonly psp_code: PspCode;
  /** Sum of its slots and its tip, in currency units. */
  readonly amount: number;
  /** What the payer added to the slots, in currency units; absent where that is nothing. */
  readonly tip?: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** The slots it covers. */
  readonly slot_ids: readonly string[];
};

export type PaymentIntentReleasedEvent = {
  /** Id of the event: the same in every delivery of it. */
  readonly id: string;
  /** What happened. */
  readonly type: 'payment_intent.released';
  /** When it happened, with milliseconds. */
  readonly created: string;
  readonly data: PaymentIntentReleasedData;
};

/** Payments of a group payment or of a customer. A group payment itself has it only with `expand=payments`; where `pagination.has_more` is true, `next_cursor` continues the list at `GET /v1/group-payments/{id}/payments`. */
export type PaymentList = {
  /** Newest first. */
  readonly payments: readonly Payment[];
  readonly pagination: CursorPagination;
  /** Only with `expand=customers`: every customer that the response names, once each, by the `customer_id` of payments and the `assigned_customer_id` of slots. */
  readonly customers?: readonly CustomerListItem[];
};

export type PaymentSlot = {
  /** Id of the slot. */
  readonly id: string;
  /** The merchant it belongs to. */
  readonly merchant_id: string;
  /** The group payment it is part of. */
  readonly group_payment_id: string;
  /** Place within the group, from 1. */
  readonly sequence_no: number;
  /** What the slot is for; absent where you gave nothing. */
  readonly label?: string;
  readonly assigned_customer_id: string | null;
  /** Price of the slot, in currency units. */
  readonly amount: number;
  /** ISO 4217 code of an active currency. */
  readonly currency: string;
  /** Where the slot is in its life; the guide to states says what each means. */
  readonly state: PaymentSlotState;
  /** The key/value pairs given at creation, or by the latest update. */
  readonly metadata: Metadata;
  /** When it was created. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
};

export type PaymentSlotState =
  'unassigned' | 'assigned' | 'expired' | 'preauthorised' | 'captured' | 'refunded' | 'cancelled';

export type PaymentState =
  | 'created'
  | 'processing'
  | 'preauthorised'
  | 'capture_pending'
  | 'captured'
  | 'refund_pending'
  | 'refunded'
  | 'failed'
  | 'void_pending'
  | 'voided'
  | 'capture_failed';

export type PspCode = 'gateway_a' | 'gateway_b' | 'gateway_c';

export type RecoverWebhookRequest = {
  /** Recover events created at this instant or later; at most 30 days ago. */
  readonly since: string;
  /** … and created at this instant or earlier; now when it is not given, in test mode by the test clock. */
  readonly until?: string;
};

export type RefundRequest = {
  /** Refund only the captured payments that cover these slots. When omitted: everything that is captured. */
  readonly slot_ids?: readonly string[];
};

export type RefundResponse = {
  readonly refunded_payment_intents: readonly string[];
  readonly refunded_slot_ids: readonly string[];
  /** Empty on full success. */
  readonly failed: readonly FailedRefund[];
  /** What became of the group payment; a refund whose outcome is unknown counts as failed. */
  readonly group_state: 'refunded' | 'partially_refunded' | 'refund_failed';
};

export type RequestLog = {
  /** Id of the entry. */
  readonly id: string;
  /** The `Request-Id` of the answer. */
  readonly request_id: string;
  /** When the request arrived, by the wall clock, never a test clock. */
  readonly created_at: string;
  /** The method, as it was sent. */
  readonly method: string;
  /** The path of the operation, with its parameters in braces. */
  readonly route: string;
  /** The path as it was sent. */
  readonly path: string;
  /** The query, without secrets and payers; empty without one. */
  readonly query: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The `code` of the error; null for a success. */
  readonly error_code: string | null;
  /** How long the answer took, in ms. */
  readonly duration_ms: number;
  /** Id of the secret key that was used; null for a session token. */
  readonly key_id: string | null;
  /** Whether the key or token was one of test mode. */
  readonly is_test_mode: boolean;
  /** The body of the request, in which secrets, cards and what names payers are replaced; null without one, for one that is no JSON object and for one of more than 16 kB. */
  readonly request_body: Readonly<Record<string, unknown>> | null;
  /** The same of the answer. */
  readonly response_body: Readonly<Record<string, unknown>> | null;
};

export type RequestLogList = {
  /** Newest first. */
  readonly request_logs: readonly RequestLogListItem[];
  readonly pagination: CursorPagination;
};

export type RequestLogListItem = {
  /** Id of the entry. */
  readonly id: string;
  /** The `Request-Id` of the answer. */
  readonly request_id: string;
  /** When the request arrived, by the wall clock, never a test clock. */
  readonly created_at: string;
  /** The method, as it was sent. */
  readonly method: string;
  /** The path of the operation, with its parameters in braces. */
  readonly route: string;
  /** The path as it was sent. */
  readonly path: string;
  /** The query, without secrets and payers; empty without one. */
  readonly query: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  /** The `code` of the error; null for a success. */
  readonly error_code: string | null;
  /** How long the answer took, in ms. */
  readonly duration_ms: number;
  /** Id of the secret key that was used; null for a session token. */
  readonly key_id: string | null;
  /** Whether the key or token was one of test mode. */
  readonly is_test_mode: boolean;
};

export type ResetTestClockRequest = {};

export type RollSecretRequest = {
  /** How long deliveries are signed with the previous secret as well: not at all, an hour, a day or a week. A secret that is known to others needs 0. */
  readonly overlap_seconds?: 0 | 3600 | 86400 | 604800;
};

export type RolledCheckoutLink = {
  /** The group payment whose link was replaced. */
  readonly group_payment_id: string;
  /** Public page where participants pay their slots. */
  readonly checkout_url: string;
};

export type RolledOrganiserLink = {
  /** The group payment whose link was replaced. */
  readonly group_payment_id: string;
  /** The organiser’s page. Everybody who has this link has the organiser’s rights: give it to one person. */
  readonly organiser_url: string;
};

export type RolledWebhookEndpoint = {
  /** Id of the endpoint. */
  readonly id: string;
  /** Where events are sent: https, or http on localhost. */
  readonly url: string;
  /** For your own use. */
  readonly description: string | null;
  /** Whether events are sent. */
  readonly enabled: boolean;
  /** The events to send; none means all. */
  readonly event_types: readonly EventType[];
  /** When it was registered. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
  /** The new signing secret, shown this once. */
  readonly secret: string;
  /** Until when earlier secrets sign, too; null when none does. */
  readonly previous_secrets_end_at: string | null;
};

export type SessionToken = {
  /** Goes to the browser, which sends it as its bearer token. */
  readonly token: string;
  /** The only group payment the token opens. */
  readonly group_payment_id: string;
  /** Seconds until it ends: at the latest 30 minutes after a group payment that can be paid expires. */
  readonly expires_in: number;
};

export type SlotMetadata = {
  /** Free key/value pairs: at most 50 keys and 16 kB as JSON, where a number counts with all its digits. Numbers lie between -9007199254740991 and 9007199254740991: send larger ones as text. */
  readonly metadata: Metadata;
};

export type Statement = {
  /** The first day. */
  readonly from: string;
  /** The last day. */
  readonly to: string;
  /** The time zone of the days. */
  readonly time_zone: string;
  /** Whether no real money moves. */
  readonly is_test_mode: boolean;
  /** Whether the period is over, so that nothing but `amount_disputed` can change. In test mode the test clock decides. */
  readonly is_final: boolean;
  /** One for each gateway and currency in which there was a hold until the last day. */
  readonly statements: readonly GatewayStatement[];
};

export type StatementDay = {
  /** The day, in the time zone of the statement. */
  readonly date: string;
  /** What was placed on cards. */
  readonly amount_held: number;
  /** What was held and given back without a capture. */
  readonly amount_released: number;
  /** What was captured. */
  readonly amount_captured: number;
  /** What was refunded, in the dashboard of the gateway as well as here. */
  readonly amount_refunded: number;
  /** What came back of refunds, because a bank refused them. */
  readonly amount_returned: number;
  /** What the card scheme took back of captures. */
  readonly amount_reversed: number;
  /** What is left of payments whose dispute, begun then, is open or was lost. It is part of the net amount: whether a gateway has taken it is not known here. It is 0 again once a dispute has ended without a loss. */
  readonly amount_disputed: number;
  /** What is held on cards and was not captured, in currency units. */
  readonly amount_on_hold: number;
  /** What was captured, without what was refunded or reversed, in currency units. Fees and payouts of the gateway are not known here. */
  readonly amount_net: number;
  /** How much of the net amount is tips. */
  readonly amount_tips: number;
};

export type StatusClass = '2xx' | '4xx' | '5xx';

export type TestCard =
  | 'approved'
  | 'authenticated'
  | 'declined'
  | 'insufficient_funds'
  | 'expired_card'
  | 'incorrect_cvc'
  | 'lost_card'
  | 'stolen_card'
  | 'processing_error'
  | 'authentication_failed';

export type TestClock = {
  /** Your test-mode time. */
  readonly now: string;
  /** How far it is ahead of the world. */
  readonly ahead_seconds: number;
  /** How far an advance still has to go; 0 unless it is `advancing`. */
  readonly remaining_seconds: number;
  readonly state: 'settled' | 'advancing';
};

export type TestPaymentRequest = {
  /** Identifies the payer; a customer is created or reused for the merchant. */
  readonly customer_email: string;
  /** The payer's name. */
  readonly customer_name?: string;
  /** Shows `customer_name` at the slots to whoever has the link. Needs `customer_name`. */
  readonly show_name?: boolean;
  /** The slots to pay. When omitted: all that are unassigned now. */
  readonly slot_ids?: readonly string[];
  /** What the payer adds to the slots, in currency units: at most the `max_amount` of the `tips` of the group payment, and refused where it has none. */
  readonly tip?: number;
  /** The payer's time zone, in which times in mails to the payer are written; a name that is not known here is ignored. */
  readonly time_zone?: string;
  /** What becomes of the card; there is no number to it. `authenticated`: the payer passes 3-D Secure and is approved. `authentication_failed`: the payer does not pass it. The others are approved or declined at once. */
  readonly card?: TestCard;
};

export type TestWebhookRequest = {
  /** The type of the event to send. */
  readonly event_type?: EventType;
};

/** What payers may add to their slots; absent where they may add nothing. */
export type Tips = {
  /** The most that each payment may add to its slots, in currency units. */
  readonly max_amount: number;
};

/** Lets payers add a tip to their slots: a part of their payment that belongs to no slot and not to `total_amount`. Left out or null, they may add nothing. The checkout page and the widget offer tips. */
export type TipsRequest = {
  /** The most that each payment may add to its slots, in currency units. */
  readonly max_amount: number;
};

export type UpdateGroupPaymentRequest = {
  /** What payers see. */
  readonly group_name?: string;
  /** A later end of collecting, at most 7 days after the creation, with a time zone offset. Only while the group payment collects. */
  readonly expires_at?: string;
  /** Replaces all metadata of the group payment. Free key/value pairs: at most 50 keys and 16 kB as JSON, where a number counts with all its digits. Numbers lie between -9007199254740991 and 9007199254740991: send larger ones as text. */
  readonly metadata?: Metadata;
};

export type UpdateWebhookRequest = {
  /** Where to send events: https, or http on localhost. Characters that a URI cannot contain are stored percent-encoded, a host name in Punycode. */
  readonly url?: string;
  /** For your own use. */
  readonly description?: string | null;
  /** Whether events are sent. */
  readonly enabled?: boolean;
  /** The events to send; none means all. */
  readonly event_types?: readonly EventType[];
};

export type WebhookAttempt = {
  /** Id of the attempt. */
  readonly id: string;
  /** Counts every request of the delivery. */
  readonly number: number;
  /** Whether the schedule or a resend made it. */
  readonly trigger: 'automatic' | 'manual';
  /** When the answer had come, or was given up. */
  readonly ended_at: string;
  /** Where it was sent. */
  readonly url: string;
  /** As they were sent, signatures redacted. */
  readonly request_headers: Readonly<Record<string, string>>;
  /** The address the name stood for. */
  readonly remote_address: string | null;
  readonly timings: WebhookTimings;
  /** What came of it in a word: acknowledged, redirect, status_4xx, status_5xx, or the error class. */
  readonly outcome: string;
  /** Why there was no answer: address_blocked, dns, connect, connect_timeout, tls, reset, timeout or protocol. */
  readonly error_class: string | null;
  /** Status of the answer. */
  readonly http_status: number | null;
  /** The first 16 kB of the answer, as text. */
  readonly response_body: string | null;
  /** When the attempt after this one was due. */
  readonly next_attempt_at: string | null;
};

export type WebhookDelivery = {
  /** Id of the delivery among those of its endpoint; it is that of the event. */
  readonly id: string;
  /** The event that is delivered. */
  readonly event_id: string;
  /** Its type. */
  readonly event_type: EventType;
  /** Whether it was asked for to try the endpoint out. */
  readonly is_test_event: boolean;
  /** Whether it waits for an attempt, was acknowledged, ran out of attempts, or is kept for a disabled endpoint. */
  readonly state: WebhookDeliveryState;
  /** Whether a resend that was asked for is still to come. */
  readonly resend_pending: boolean;
  /** Requests made so far. */
  readonly attempt_count: number;
  /** When the next attempt is due; null while one is under way, and when none is. */
  readonly next_attempt_at: string | null;
  /** When the event was taken for delivery. */
  readonly created_at: string;
  /** When it came to its end. */
  readonly settled_at: string | null;
  /** The latest eight, newest first. */
  readonly attempts: readonly WebhookAttempt[];
};

export type WebhookDeliveryList = {
  /** Newest first. */
  readonly deliveries: readonly WebhookDelivery[];
  readonly pagination: CursorPagination;
};

export type WebhookDeliveryState = 'pending' | 'delivered' | 'failed' | 'held';

export type WebhookEndpoint = {
  /** Id of the endpoint. */
  readonly id: string;
  /** Where events are sent: https, or http on localhost. */
  readonly url: string;
  /** For your own use. */
  readonly description: string | null;
  /** Whether events are sent. */
  readonly enabled: boolean;
  /** The events to send; none means all. */
  readonly event_types: readonly EventType[];
  /** When it was registered. */
  readonly created_at: string;
  /** When it last changed. */
  readonly updated_at: string;
};

export type WebhookEndpointList = {
  readonly webhook_endpoints: readonly WebhookEndpoint[];
};

export type WebhookRecovery = {
  /** Id of the recovery. */
  readonly id: string;
  /** Start of its period. */
  readonly since: string;
  /** End of its period. */
  readonly until: string;
  /** Cancelled when its endpoint was deleted. */
  readonly status: 'running' | 'done' | 'cancelled';
  /** Deliveries that it has made due so far. */
  readonly recovered: number;
  /** When it was asked for. */
  readonly created_at: string;
  /** When it had looked at the whole period. */
  readonly ended_at: string | null;
};

export type WebhookTimings = {
  /** Resolving the name; absent on a connection that was kept. */
  readonly dns_ms?: number | null;
  /** Making the connection. */
  readonly connect_ms?: number | null;
  /** Agreeing on TLS; null without it. */
  readonly tls_ms?: number | null;
  /** From the start to the first byte of the answer. */
  readonly first_byte_ms?: number | null;
  /** From the start to the end. */
  readonly total_ms?: number | null;
};

/** The values of each type that is a choice, by its name; a later release may add some. */
export const choices = {
  ConfirmStatus: ['preauthorised', 'requires_action'],
  EventType: [
    'payment_intent.preauthorised',
    'payment_intent.captured',
    'payment_intent.refunded',
    'payment_intent.failed',
    'group_payment.partially_paid',
    'group_payment.paid',
    'group_payment.partially_refunded',
    'group_payment.refunded',
    'payment_intent.released',
    'group_payment.expired',
    'group_payment.cancelled',
    'group_payment.capture_failed',
    'group_payment.refund_failed',
    'payment_intent.disputed',
    'payment_intent.dispute_closed',
    'group_payment.updated',
  ],
  GroupPaymentDetailExpansion: ['payments', 'customers'],
  GroupPaymentExpansion: ['payments'],
  GroupPaymentState: [
    'draft',
    'expired',
    'cancelled',
    'open',
    'partially_preauthorised',
    'preauthorised',
    'capturing',
    'partially_paid',
    'paid',
    'capture_failed',
    'refunding',
    'partially_refunded',
    'refunded',
    'refund_failed',
  ],
  LoggedMethod: ['GET', 'POST', 'PATCH', 'DELETE', 'HEAD'],
  OrganiserRight: ['remind', 'extend', 'cancel'],
  PaymentExpansion: ['customers'],
  PaymentSlotState: [
    'unassigned',
    'assigned',
    'expired',
    'preauthorised',
    'captured',
    'refunded',
    'cancelled',
  ],
  PaymentState: [
    'created',
    'processing',
    'preauthorised',
    'capture_pending',
    'captured',
    'refund_pending',
    'refunded',
    'failed',
    'void_pending',
    'voided',
    'capture_failed',
  ],
  PspCode: ['gateway_a', 'gateway_b', 'gateway_c'],
  StatusClass: ['2xx', '4xx', '5xx'],
  TestCard: [
    'approved',
    'authenticated',
    'declined',
    'insufficient_funds',
    'expired_card',
    'incorrect_cvc',
    'lost_card',
    'stolen_card',
    'processing_error',
    'authentication_failed',
  ],
  WebhookDeliveryState: ['pending', 'delivered', 'failed', 'held'],
} as const;

/** Every code that an error of an operation may have; a later release may add some. */
export type ErrorCode =
  | 'amount_above_gateway_maximum'
  | 'amount_below_gateway_minimum'
  | 'authentication_required'
  | 'card_declined'
  | 'confirm_not_supported'
  | 'conflict'
  | 'currency_not_supported_by_gateway'
  | 'deadline_exceeded'
  | 'duplicate_merchant_order_id'
  | 'gateway_error'
  | 'gateway_unavailable'
  | 'group_expired'
  | 'group_not_payable'
  | 'headers_too_large'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
  | 'insufficient_scope'
  | 'internal_error'
  | 'invalid_json'
  | 'invalid_slot_ids'
  | 'malformed_request'
  | 'no_active_gateway'
  | 'no_payable_slots'
  | 'not_found'
  | 'nothing_to_refund'
  | 'outcome_unknown'
  | 'payload_too_large'
  | 'rate_limited'
  | 'request_timeout'
  | 'service_unavailable'
  | 'slot_no_longer_available'
  | 'slots_not_captured'
  | 'test_payments_unavailable'
  | 'too_many_declines'
  | 'unauthorized'
  | 'unsupported_media_type'
  | 'uri_too_long'
  | 'validation_error';

/** What each operation takes and answers. */
export type Operations = {
  /** List group payments, newest first */
  listGroupPayments: {
    path: [];
    query: {
      limit?: number;
      offset?: number;
      cursor?: string;
      state?: GroupPaymentState;
      merchant_order_id?: string;
      client_reference?: string;
      customer_email?: string;
      customer_id?: string;
      metadata?: Readonly<Record<string, string>>;
      created_after?: string;
      created_before?: string;
      expand?: readonly GroupPaymentExpansion[];
    };
    body: undefined;
    answer: GroupPaymentList;
  };
  /** Create a group payment */
  createGroupPayment: {
    path: [];
    query: undefined;
    body: CreateGroupPaymentRequest;
    answer: GroupPaymentWithSlots;
  };
  /** Get a group payment and its slots */
  getGroupPayment: {
    path: [id: string];
    query: { expand?: readonly GroupPaymentDetailExpansion[] };
    body: undefined;
    answer: GroupPaymentWithSlots;
  };
  /** Change the name, the metadata or the expiry of a group payment */
  updateGroupPayment: {
    path: [id: string];
    query: undefined;
    body: UpdateGroupPaymentRequest;
    answer: GroupPaymentWithSlots;
  };
  /** Replace the checkout link of a group payment */
  rollCheckoutLink: { path: [id: string]; query: undefined; body: undefined; answer: RolledCheckoutLink };
  /** Replace the organiser’s link of a group payment */
  rollOrganiserLink: { path: [id: string]; query: undefined; body: undefined; answer: RolledOrganiserLink };
  /** Cancel a group payment that is still collecting */
  cancelGroupPayment: {
    path: [id: string];
    query: undefined;
    body: undefined;
    answer: GroupPaymentWithSlots;
  };
  /** Start a payment of one or more slots */
  payGroupPayment: { path: [id: string]; query: undefined; body: PayRequest; answer: PayResponse };
  /** Authorise a payment with an encrypted card (gateway_b) */
  confirmPayment: { path: [id: string]; query: undefined; body: ConfirmRequest; answer: ConfirmResponse };
  /** Pay slots as a payer with a test card */
  createTestPayment: { path: [id: string]; query: undefined; body: TestPaymentRequest; answer: Payment };
  /** List the payments of a group payment with their payers, newest first */
  listPayments: {
    path: [id: string];
    query: { limit?: number; cursor?: string; expand?: readonly PaymentExpansion[] };
    body: undefined;
    answer: PaymentList;
  };
  /** Refund captured payments, all of them or those of some slots */
  refundGroupPayment: {
    path: [id: string];
    query: undefined;
    body: RefundRequest | undefined;
    answer: RefundResponse;
  };
  /** List customers, the one with the latest payment first */
  listCustomers: {
    path: [];
    query: {
      limit?: number;
      cursor?: string;
      customer_email?: string;
      created_after?: string;
      created_before?: string;
      last_payment_after?: string;
      last_payment_before?: string;
    };
    body: undefined;
    answer: CustomerList;
  };
  /** Get a customer, with the number of their payments by state and the sums by currency */
  getCustomer: { path: [id: string]; query: undefined; body: undefined; answer: Customer };
  /** List the payments of a customer in all group payments, newest first */
  listCustomerPayments: {
    path: [id: string];
    query: { limit?: number; cursor?: string };
    body: undefined;
    answer: PaymentList;
  };
  /** Get what is on hold, captured, refunded and reversed, by gateway and currency */
  getBalance: { path: []; query: undefined; body: undefined; answer: BalanceList };
  /** Get what moved on each day of a period, with opening and closing balance */
  getStatement: {
    path: [];
    query: { from?: string; to?: string; time_zone?: string };
    body: undefined;
    answer: Statement;
  };
  /** Mint a token with which a browser can read and pay this group payment only */
  createSession: {
    path: [id: string];
    query: undefined;
    body: CreateSessionRequest | undefined;
    answer: SessionToken;
  };
  /** List webhook endpoints */
  listWebhooks: { path: []; query: undefined; body: undefined; answer: WebhookEndpointList };
  /** Register a webhook endpoint */
  createWebhook: { path: []; query: undefined; body: CreateWebhookRequest; answer: CreatedWebhookEndpoint };
  /** Get a webhook endpoint */
  getWebhook: { path: [id: string]; query: undefined; body: undefined; answer: WebhookEndpoint };
  /** Change a webhook endpoint */
  updateWebhook: {
    path: [id: string];
    query: undefined;
    body: UpdateWebhookRequest;
    answer: WebhookEndpoint;
  };
  /** Delete a webhook endpoint */
  deleteWebhook: { path: [id: string]; query: undefined; body: undefined; answer: DeletedWebhookEndpoint };
  /** Give a webhook endpoint a new signing secret */
  rollWebhookSecret: {
    path: [id: string];
    query: undefined;
    body: RollSecretRequest | undefined;
    answer: RolledWebhookEndpoint;
  };
  /** Send a test event to a webhook endpoint */
  testWebhook: {
    path: [id: string];
    query: undefined;
    body: TestWebhookRequest | undefined;
    answer: WebhookDelivery;
  };
  /** List the deliveries of a webhook endpoint with their attempts, newest first */
  listWebhookDeliveries: {
    path: [id: string];
    query: { limit?: number; cursor?: string; state?: WebhookDeliveryState; event_type?: EventType };
    body: undefined;
    answer: WebhookDeliveryList;
  };
  /** Attempt a delivery once more, now */
  resendWebhookDelivery: {
    path: [id: string, delivery_id: string];
    query: undefined;
    body: undefined;
    answer: WebhookDelivery;
  };
  /** Send again what a webhook endpoint missed in a period */
  recoverWebhook: {
    path: [id: string];
    query: undefined;
    body: RecoverWebhookRequest;
    answer: WebhookRecovery;
  };
  /** Get how far a recovery is */
  getWebhookRecovery: {
    path: [id: string, recovery_id: string];
    query: undefined;
    body: undefined;
    answer: WebhookRecovery;
  };
  /** List events, newest first */
  listEvents: {
    path: [];
    query: {
      limit?: number;
      cursor?: string;
      type?: EventType;
      group_payment_id?: string;
      created_after?: string;
      created_before?: string;
      delivered?: 'true' | 'false';
    };
    body: undefined;
    answer: EventList;
  };
  /** Get an event */
  getEvent: { path: [id: string]; query: undefined; body: undefined; answer: Event };
  /** List the requests that were made to the API, newest first */
  listRequestLogs: {
    path: [];
    query: {
      limit?: number;
      cursor?: string;
      status_class?: StatusClass;
      method?: LoggedMethod;
      path?: string;
      key_id?: string;
      request_id?: string;
      created_after?: string;
      created_before?: string;
    };
    body: undefined;
    answer: RequestLogList;
  };
  /** Get a request that was made, with its bodies */
  getRequestLog: { path: [id: string]; query: undefined; body: undefined; answer: RequestLog };
  /** Get the test clock */
  getTestClock: { path: []; query: undefined; body: undefined; answer: TestClock };
  /** Advance the test clock */
  advanceTestClock: { path: []; query: undefined; body: AdvanceTestClockRequest; answer: TestClock };
  /** Reset the test clock */
  resetTestClock: { path: []; query: undefined; body: ResetTestClockRequest | undefined; answer: TestClock };
};

/** How each operation is called. */
export const operations = {
  listGroupPayments: {
    method: 'GET',
    path: '/v1/group-payments',
    hasQuery: true,
    hasBody: false,
    isIdempotent: false,
  },
  createGroupPayment: {
    method: 'POST',
    path: '/v1/group-payments',
    hasQuery: false,
    hasBody: true,
    isIdempotent: true,
  },
  getGroupPayment: {
    method: 'GET',
    path: '/v1/group-payments/{id}',
    hasQuery: true,
    hasBody: false,
    isIdempotent: false,
  },
  updateGroupPayment: {
    method: 'PATCH',
    path: '/v1/group-payments/{id}',
    hasQuery: false,
    hasBody: true,
    isIdempotent: true,
  },
  rollCheckoutLink: {
    method: 'POST',
    path: '/v1/group-payments/{id}/roll-checkout-link',
    hasQuery: false,
    hasBody: false,
    isIdempotent: true,
  },
  rollOrganiserLink: {
    method: 'POST',
    path: '/v1/group-payments/{id}/roll-organiser-link',
    hasQuery: false,
    hasBody: false,
    isIdempotent: true,
  },
  cancelGroupPayment: {
    method: 'POST',
    path: '/v1/group-payments/{id}/cancel',
    hasQuery: false,
    hasBody: false,
    isIdempotent: true,
  },
  payGroupPayment: {
    method: 'POST',
    path: '/v1/group-payments/{id}/pay',
    hasQuery: false,
    hasBody: true,
    isIdempotent: true,
  },
  confirmPayment: {
    method: 'POST',
    path: '/v1/group-payments/{id}/confirm',
    hasQuery: false,
    hasBody: true,
    isIdempotent: false,
  },
  createTestPayment: {
    method: 'POST',
    path: '/v1/group-payments/{id}/test-payments',
    hasQuery: false,
    hasBody: true,
    isIdempotent: true,
  },
  listPayments: {
    method: 'GET',
    path: '/v1/group-payments/{id}/payments',
    hasQuery: true,
    hasBody: false,
    isIdempotent: false,
  },
  refundGroupPayment: {
    method: 'POST',
    path: '/v1/group-payments/{id}/refund',
    hasQuery: false,
    hasBody: true,
    isIdempotent: true,
  },
  listCustomers: {
    method: 'GET',
    path: '/v1/customers',
    hasQuery: true,
    hasBody: false,
    isIdempotent: false,
  },
  getCustomer: {
    method: 'GET',
    path: '/v1/customers/{id}',
    hasQuery: false,
    hasBody: false,
    isIdempotent: false,
  },
  listCustomerPayments: {
    method: 'GET',
    path: '/v1/customers/{id}/payments',
    hasQuery: true,
    hasBody: false,
    isIdempotent: false,
  },
  getBalance: { method: 'GET', path: '/v1/balance', hasQuery: false, hasBody: false, isIdempotent: false },
  getStatement: {
    method: 'GET',
    path: '/v1/balance/statement',
    hasQuery: true,
    hasBody: false,
    isIdempotent: false,
  },
  createSession: {
    method: 'POST',
    path: '/v1/group-payments/{id}/session',
    hasQuery: false,
    hasBody: true,
    isIdempotent: false,
  },
  listWebhooks: { method: 'GET', path: '/v1/webhooks', hasQuery: false, hasBody: false, isIdempotent: false },
  createWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    hasQuery: false,
    hasBody: true,
    isIdempotent: false,
  },
  getWebhook: {
    method: 'GET',
    path: '/v1/webhooks/{id}',
    hasQuery: false,
    hasBody: false,
    isIdempotent: false,
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    hasQuery: false,
    hasBody: true,
    isIdempotent: false,
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    hasQuery: false,
    hasBody: false,
    isIdempotent: false,
  },
  rollWebhookSecret: {
    method: 'POST',
    path: '/v1/webhooks/{id}/roll-secret',
    hasQuery: false,
    hasBody: true,
    isIdempotent: false,
  },
  testWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    hasQuery: false,
    hasBody: true,
    isIdempotent: false,
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    hasQuery: true,
    hasBody: false,
    isIdempotent: false,
  },
  resendWebhookDelivery: {
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}/resend',
    hasQuery: false,
    hasBody: false,
    isIdempotent: false,
  },
  recoverWebhook: {
    method: 'POST',
    path: '/v1/webhooks/{id}/recover',
    hasQuery: false,
    hasBody: true,
    isIdempotent: false,
  },
  getWebhookRecovery: {
    method: 'GET',
    path: '/v1/webhooks/{id}/recoveries/{recovery_id}',
    hasQuery: false,
    hasBody: false,
    isIdempotent: false,
  },
  listEvents: { method: 'GET', path: '/v1/events', hasQuery: true, hasBody: false, isIdempotent: false },
  getEvent: { method: 'GET', path: '/v1/events/{id}', hasQuery: false, hasBody: false, isIdempotent: false },
  listRequestLogs: {
    method: 'GET',
    path: '/v1/request-logs',
    hasQuery: true,
    hasBody: false,
    isIdempotent: false,
  },
  getRequestLog: {
    method: 'GET',
    path: '/v1/request-logs/{id}',
    hasQuery: false,
    hasBody: false,
    isIdempotent: false,
  },
  getTestClock: {
    method: 'GET',
    path: '/v1/test/clock',
    hasQuery: false,
    hasBody: false,
    isIdempotent: false,
  },
  advanceTestClock: {
    method: 'POST',
    path: '/v1/test/clock/advance',
    hasQuery: false,
    hasBody: true,
    isIdempotent: true,
  },
  resetTestClock: {
    method: 'POST',
    path: '/v1/test/clock/reset',
    hasQuery: false,
    hasBody: true,
    isIdempotent: false,
  },
} as const;
