// Package example is the program of the README.
package example

import (
	"context"
	"fmt"
	"time"

	gp "github.com/group-payments/client-go"
	"github.com/oapi-codegen/runtime/types"
)

// OpenBill creates a group payment of three equal slots; its CheckoutURL is the address to send to the payers. expiresAt
// comes from your stored order: a repetition under the same key with another body is refused with idempotency_key_reused.
func OpenBill(ctx context.Context, client *gp.ClientWithResponses, orderID string, expiresAt time.Time) (*gp.GroupPaymentWithSlots, error) {
	var shares gp.Distribution
	if err := shares.FromEqualDistribution(gp.EqualDistribution{NumberOfSlots: 3}); err != nil {
		return nil, err
	}
	key := "bill-" + orderID
	params := &gp.CreateGroupPaymentParams{IdempotencyKey: &key}
	answer, err := client.CreateGroupPaymentWithResponse(ctx, params, gp.CreateGroupPaymentRequest{
		GroupName:    "Dinner at Casa Lola",
		TotalAmount:  90,
		Currency:     "EUR",
		ExpiresAt:    expiresAt,
		Distribution: shares,
	})
	if err != nil {
		return nil, err
	}
	if answer.JSON201 == nil {
		return nil, fmt.Errorf("no group payment was created: %s", answer.Body)
	}
	return answer.JSON201, nil
}

// Pay starts a payment of all free slots; it returns nil when another payer was faster. attemptID is your own id of this
// attempt: repeat it to repeat the request, and make a new one for a new attempt.
func Pay(ctx context.Context, client *gp.ClientWithResponses, id types.UUID, email, attemptID string) (*gp.PayResponse, error) {
	params := &gp.PayGroupPaymentParams{IdempotencyKey: &attemptID}
	answer, err := client.PayGroupPaymentWithResponse(ctx, id, params, gp.PayRequest{CustomerEmail: types.Email(email)})
	if err != nil {
		return nil, err
	}
	if answer.JSON409 != nil && answer.JSON409.Code == "no_payable_slots" {
		return nil, nil
	}
	if answer.JSON201 == nil {
		return nil, fmt.Errorf("no payment was started: %s", answer.Body)
	}
	return answer.JSON201, nil
}

// FindPaidGroup is for your endpoint: it returns the id of the group that is paid, or an error when the signature is wrong.
func FindPaidGroup(rawBody []byte, signature, secret string) (id types.UUID, isPaid bool, err error) {
	event, err := gp.VerifyWebhook(rawBody, signature, secret)
	if err != nil {
		return id, false, err
	}
	if kind, err := event.Discriminator(); err != nil || kind != "group_payment.paid" {
		return id, false, err
	}
	paid, err := event.AsGroupPaymentPaidEvent()
	return paid.Data.GroupPaymentID, err == nil, err
}
