//go:build programs

// Package keda names the programs of KEDA that the cluster runs, so that their modules are pinned here.
package keda

import (
	_ "github.com/kedacore/keda/v2/cmd/adapter"
	_ "github.com/kedacore/keda/v2/cmd/operator"
)
