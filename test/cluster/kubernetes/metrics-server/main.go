// Command metrics-server tells autoscalers what pods use, as the kubelets measure it.
package main

import (
	"os"

	"k8s.io/apiserver/pkg/server"
	"k8s.io/component-base/cli"
	"sigs.k8s.io/metrics-server/cmd/metrics-server/app"
)

func main() { os.Exit(cli.Run(app.NewMetricsServerCommand(server.SetupSignalHandler()))) }
