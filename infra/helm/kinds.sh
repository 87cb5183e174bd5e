#!/usr/bin/env bash
# Reads the golden files with the types of three minors of Kubernetes, strictly. Needs Go, and a proxy of Go modules; what it
# builds stays in a folder of the user's cache.
set -euo pipefail
cd "$(dirname "$0")"
command -v go >/dev/null || { echo 'left out: the types of Kubernetes (go is not on the PATH)'; exit 0; }
failed=0
for version in ${KUBERNETES_TYPES:-v0.29.15 v0.32.9 v0.34.1}; do
  folder=${XDG_CACHE_HOME:-$HOME/.cache}/scriptorium-kinds/$version
  mkdir -p "$folder"
  cp kinds/main.go "$folder"
  if ! [ -x "$folder/kinds" ] || [ kinds/main.go -nt "$folder/kinds" ]; then
    (cd "$folder" && rm -f go.mod go.sum && go mod init kinds && go get "k8s.io/client-go@$version" && go mod tidy && go build -o kinds .) >"$folder/log" 2>&1 ||
      { tail -5 "$folder/log" >&2; exit 1; }
  fi
  for golden in golden/small.yaml golden/full.yaml; do
    said=$("$folder/kinds" <"$golden") || failed=1
    echo "Kubernetes 1.$(echo "$version" | cut -d. -f2), $golden: $said"
  done
done
exit "$failed"
