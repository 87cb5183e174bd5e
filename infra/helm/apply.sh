#!/usr/bin/env bash
# Applies what the chart makes to a kube-apiserver with etcd, on the server's side. Builds both, and kubectl, from their Go modules
# into a folder of the user's cache at first: needs Go, a proxy of Go modules, and some minutes.
set -euo pipefail
cd "$(dirname "$0")"
version=${KUBERNETES_VERSION:-1.36.3}
prometheus_operator=v0.85.0
command -v go >/dev/null || { echo 'left out: the server of Kubernetes (go is not on the PATH)'; exit 0; }
folder=${XDG_CACHE_HOME:-$HOME/.cache}/scriptorium-kubernetes/$version
log=$folder/log
mkdir -p "$folder"

# A function whose failure is looked at by its caller goes on after a command that failed, whatever `set -e` says: hence `&&`.
# Kubernetes names its own modules by folders that its module does not have: each is a module of the same version.
module() {
  go mod init server &&
  listed=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p') &&
  mapfile -t own < <(sed -n "s|^\t\(k8s.io/[a-z-]*\) => ./staging.*|-replace=\1=\1@v0.${version#1.}|p" "$listed") &&
  go mod edit "${own[@]}" &&
  etcd=$(sed -n 's|^\tgo.etcd.io/etcd/client/v3 \(v[^ ]*\).*|\1|p' "$listed") &&
  go get -tool "k8s.io/kubernetes/cmd/kube-apiserver@v$version" "k8s.io/kubernetes/cmd/kubectl@v$version" \
    "go.etcd.io/etcd/server/v3@$etcd"
}
programs() {
  stamp="-X k8s.io/component-base/version.gitVersion=v$version"
  go build -ldflags "$stamp" -o kube-apiserver k8s.io/kubernetes/cmd/kube-apiserver &&
  go build -ldflags "$stamp" -o kubectl k8s.io/kubernetes/cmd/kubectl &&
  go build -o etcd go.etcd.io/etcd/server/v3
}
if ! [ -x "$folder/etcd" ]; then
  (cd "$folder" && rm -f go.mod go.sum && module && programs) >"$log" 2>&1 || { tail -5 "$log" >&2; exit 1; }
fi
operator=$(go mod download -json "github.com/prometheus-operator/prometheus-operator@$prometheus_operator" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
exec node apply.mjs "$folder" "$operator/example/prometheus-operator-crd/monitoring.coreos.com_servicemonitors.yaml"
