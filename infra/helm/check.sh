#!/usr/bin/env bash
# Checks the chart: its list of services, `helm lint`, what it makes of golden/*.values.yaml against golden/*.yaml, and these by
# kubeconform with the schemas of schemas/*.json. Tools that are not on the PATH are named and left out; with --write the golden
# files are written anew. kinds.sh reads them with the types of Kubernetes, too.
set -euo pipefail
cd "$(dirname "$0")"
failed=0

node services.mjs --check || failed=1

# What the chart makes, for a Kubernetes that it allows: a helm that was built by Go alone expects an old one.
template() {
  helm template docs scriptorium --namespace docs --kube-version 1.31.0 "$@"
}
# refuses REASON OPTIONS...: the chart has to refuse them, for that reason.
refuses() {
  if said=$(template "${@:2}" 2>&1) || [[ $said != *"$1"* ]]; then
    echo "the chart does not refuse ${*:2}: $said" | tail -3 >&2
    failed=1
  fi
}

# refuses_hosts REASON HOSTS: the same for ingress.hosts.
refuses_hosts() {
  refuses "$1" --values golden/small.values.yaml --values <(echo "ingress: { enabled: true, hosts: $2 }")
}

if command -v helm >/dev/null; then
  # Nothing of the machine's own settings of helm counts.
  HELM_CACHE_HOME=$(mktemp -d)
  export HELM_CACHE_HOME HELM_CONFIG_HOME=$HELM_CACHE_HOME HELM_DATA_HOME=$HELM_CACHE_HOME
  trap 'rm -rf "$HELM_CACHE_HOME"' EXIT
  for values in golden/*.values.yaml; do
    golden=${values%.values.yaml}.yaml
    helm lint scriptorium --strict --quiet --values "$values" || failed=1
    made=$(template --values "$values") || exit 1
    if [ "${1:-}" = --write ]; then
      printf '%s\n' "$made" >"$golden"
    elif ! diff --unified "$golden" <(printf '%s\n' "$made"); then
      echo "$golden is not what helm makes of $values; infra/helm/check.sh --write makes it" >&2
      failed=1
    fi
  done
  refuses 'publicUrl is needed'
  refuses "additional properties 'replica' not allowed" --values golden/small.values.yaml --set replica=3
  refuses_hosts 'leads to the port api of gatewya' '[{host: a.example.com, app: gatewya, port: api}]'
  refuses_hosts 'leads to the port sites of gateway' '[{host: a.example.com, app: gateway, port: sites}]'
  refuses_hosts 'has the host a.example.com twice' '[{host: a.example.com, app: gateway, port: api}, {host: a.example.com, app: reader, port: sites}]'
  refuses 'leads to the port pages of reader' --values golden/small.values.yaml --set httpApps.gateway.calls.reader=pages
  refuses 'needs requestsPerSecond or cpu' --values golden/small.values.yaml --set service.autoscaling.enabled=true,service.autoscaling.requestsPerSecond=0
  refuses 'services.content.dataClaim is needed' --values golden/small.values.yaml --set services.content.settings.FILES_STORE=folder
  [ "$failed" = 1 ] || echo 'helm: the chart is well, and makes what the golden files say'
else
  echo 'left out: helm (go install helm.sh/helm/v3/cmd/helm@latest)'
fi

if command -v kubeconform >/dev/null; then
  schemas=$(mktemp -d)
  node schemas.mjs --folder "$schemas"
  for minor in "$schemas"/*; do
    said=$(kubeconform -strict -summary -schema-location "$minor/{{.ResourceKind}}{{.KindSuffix}}.json" golden/small.yaml golden/full.yaml) || failed=1
    echo "Kubernetes $(basename "$minor"): $said"
  done
  rm -rf "$schemas"
else
  echo 'left out: kubeconform (go install github.com/yannh/kubeconform/cmd/kubeconform@latest)'
fi
exit "$failed"
