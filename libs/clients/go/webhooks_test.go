package grouppayments

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

type vector struct {
	Name, Body, Signature, Secret string
	Now                           int64
	Valid                         bool
}

func TestEveryVectorIsJudgedAsTheSignerMeantIt(t *testing.T) {
	text, err := os.ReadFile("vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) <= 10 {
		t.Fatalf("there are only %d vectors", len(vectors))
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			event, err := VerifyWebhookAt([]byte(v.Body), v.Signature, v.Secret, time.Unix(v.Now, 0))
			var refused *SignatureError
			if !v.Valid && !errors.As(err, &refused) {
				t.Fatalf("not refused: %v", err)
			}
			if v.Valid && err != nil {
				t.Fatal(err)
			}
			if v.Valid {
				if kind, err := event.Discriminator(); err != nil || kind != "group_payment.paid" {
					t.Fatalf("the event has the type %q (%v)", kind, err)
				}
			}
		})
	}
}

func TestARefusalNamesTheHeaderThatIsWanted(t *testing.T) {
	wanted := map[string]string{
		"":                "the header Service-Signature is missing",
		"v1,bm90IGhleA==": "pass the header Service-Signature, ",
		"t=1,t=1,v1=00":   "pass the header Service-Signature, ",
		"1900000000":      "pass the header Service-Signature, ",
	}
	for signature, text := range wanted {
		_, err := VerifyWebhook([]byte("{}"), signature, "whsec_x")
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%q: %v", signature, err)
		}
	}
}
