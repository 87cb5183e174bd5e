// Loads a Compose file with all of its profiles, as Docker Compose does: variables are replaced, and what services refer to has
// to be there. Warnings, of a variable without a value for example, count as errors. Run by infra/docker/compose.sh.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/sirupsen/logrus"
)

func main() {
	var warnings bytes.Buffer
	logrus.SetOutput(&warnings)
	options, err := cli.NewProjectOptions(os.Args[1:], cli.WithOsEnv, cli.WithProfiles([]string{"*"}))
	if err == nil {
		project, failure := options.LoadProject(context.Background())
		if err = failure; err == nil {
			fmt.Printf("%d services", len(project.Services))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	fmt.Fprint(os.Stderr, warnings.String())
	if err != nil || warnings.Len() > 0 {
		os.Exit(1)
	}
}
