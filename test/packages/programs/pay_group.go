// Pays a whole group, verifies a genuine webhook and a forged one, and provokes an error: what an integration does.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	gp "github.com/group-payments/client-go"
	"github.com/group-payments/client-go/example"
	"github.com/oapi-codegen/runtime/types"
)

type task struct {
	BaseURL  string `json:"baseUrl"`
	Key      string
	Card     gp.EncryptedCard
	Delivery struct{ RawBody, Signature, Secret string }
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func waitUntilPaid(ctx context.Context, client *gp.ClientWithResponses, id types.UUID) gp.GroupPaymentState {
	var state gp.GroupPaymentState
	for looks := 0; looks < 300 && state != "paid"; looks++ {
		time.Sleep(100 * time.Millisecond)
		state = must(client.GetGroupPaymentWithResponse(ctx, id, nil)).JSON200.GroupPayment.State
	}
	return state
}

func main() {
	var t task
	if err := json.Unmarshal([]byte(os.Getenv("TASK")), &t); err != nil {
		panic(err)
	}
	ctx := context.Background()
	client := must(gp.Open(t.BaseURL, t.Key))
	id := must(example.OpenBill(ctx, client, "packaged-go", time.Now().Add(time.Hour))).GroupPayment.ID
	started := must(must(example.Pay(ctx, client, id, "packaged@payers.example", id.String())).AsGatewayBPayment())
	confirmation := gp.ConfirmRequest{PaymentIntentID: started.PaymentIntentID, Card: t.Card}
	must(client.ConfirmPaymentWithResponse(ctx, id, confirmation))
	state := waitUntilPaid(ctx, client, id)
	late := gp.PayRequest{CustomerEmail: "late@payers.example"}
	refused := must(client.PayGroupPaymentWithResponse(ctx, id, &gp.PayGroupPaymentParams{}, late))

	raw, signature, secret := t.Delivery.RawBody, t.Delivery.Signature, t.Delivery.Secret
	event := must(must(gp.VerifyWebhook([]byte(raw), signature, secret)).AsGroupPaymentPaidEvent())
	found, isPaid, err := example.FindPaidGroup([]byte(raw), signature, secret)
	if err != nil || !isPaid || found != event.Data.GroupPaymentID {
		panic(fmt.Sprint("another group: ", found, isPaid, err))
	}
	forged := "accepted"
	if _, err := gp.VerifyWebhook([]byte(raw+" "), signature, secret); err != nil {
		forged = err.Error()
	}
	result := map[string]any{
		"state":      state,
		"event":      event.Type,
		"eventState": event.Data.State,
		"forged":     forged,
		"refusal":    refused.JSON409.Code,
	}
	fmt.Println(string(must(json.Marshal(result))))
}
