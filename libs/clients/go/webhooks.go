package grouppayments

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// SignatureError says why a delivery is not genuine.
type SignatureError struct{ Reason string }

func (e *SignatureError) Error() string { return e.Reason }

// Tolerance is the largest difference between the time of a delivery and ours, in either direction.
const Tolerance = 300 * time.Second

// VerifyWebhook returns the event of a delivery that is genuine and fresh, and a *SignatureError for every other.
//
// rawBody has the bytes as received: a body that was parsed and serialised again has another signature. signature is the
// header Service-Signature, secret the secret of the endpoint, as the API showed it.
func VerifyWebhook(rawBody []byte, signature, secret string) (*Event, error) {
	return VerifyWebhookAt(rawBody, signature, secret, time.Now())
}

// VerifyWebhookAt is VerifyWebhook at another time than now; for tests.
func VerifyWebhookAt(rawBody []byte, signature, secret string, now time.Time) (*Event, error) {
	if secret == "" {
		return nil, &SignatureError{"the secret is empty"}
	}
	if signature == "" {
		return nil, &SignatureError{"the header Service-Signature is missing"}
	}
	sentAt, signatures := parseSignature(signature)
	seconds, err := strconv.ParseUint(sentAt, 10, 40)
	if err != nil {
		return nil, &SignatureError{
			`the signature has no time, or several: pass the header Service-Signature, "t=<seconds>,v1=<hex>", and no other`,
		}
	}
	if !matches(rawBody, sentAt, signatures, secret) {
		return nil, &SignatureError{"no signature fits the body and the secret"}
	}
	if now.Sub(time.Unix(int64(seconds), 0)).Abs() > Tolerance {
		return nil, &SignatureError{"the delivery is too old or from the future"}
	}
	event := &Event{}
	if err := json.Unmarshal(rawBody, event); err != nil {
		return nil, err
	}
	return event, nil
}

// parseSignature returns the time, as it is written, and the signatures of the header; no time where it has two.
func parseSignature(header string) (sentAt string, signatures []string) {
	times := 0
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			sentAt, times = value, times+1
		case "v1":
			signatures = append(signatures, value)
		}
	}
	if times != 1 {
		return "", signatures
	}
	return sentAt, signatures
}

// matches compares every signature, so that the time taken does not reveal which of them was right.
func matches(rawBody []byte, sentAt string, signatures []string, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(sentAt + "."))
	mac.Write(rawBody)
	wanted := []byte(hex.EncodeToString(mac.Sum(nil)))
	found := false
	for _, given := range signatures {
		found = hmac.Equal(wanted, []byte(given)) || found
	}
	return found
}
