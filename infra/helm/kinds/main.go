// Reads manifests from the standard input, each as the type that Kubernetes has for its kind, and refuses fields that the type
// does not know: what a server does that is asked for strict validation. Run by infra/helm/kinds.sh for several minors.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme,
		json.SerializerOptions{Yaml: true, Strict: true})
	read, failed := 0, 0
	for _, document := range strings.Split("\n"+string(text), "\n---\n") {
		if !strings.Contains(document, "kind:") {
			continue
		}
		_, kind, err := decoder.Decode([]byte(document), nil, nil)
		if kind != nil && kind.Group == "monitoring.coreos.com" && runtime.IsNotRegisteredError(err) {
			continue
		}
		read++
		if err != nil {
			failed++
			fmt.Fprintf(os.Stderr, "%v: %v\n", kind, err)
		}
	}
	fmt.Printf("%d manifests, %d refused\n", read, failed)
	if read == 0 || failed > 0 {
		os.Exit(1)
	}
}
