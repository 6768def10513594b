// Package grouppayments is the API of Group Payments, where a group pays one bill together: typed operations and the
// verification of webhooks. Its operations are generated from the description of the API.
package grouppayments

import (
	"context"
	"net/http"
)

// Open returns a client of the API at an address, such as https://api.example.com, under one key or session token.
func Open(address, key string, options ...ClientOption) (*ClientWithResponses, error) {
	authorize := WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	})
	return NewClientWithResponses(address, append([]ClientOption{authorize}, options...)...)
}
