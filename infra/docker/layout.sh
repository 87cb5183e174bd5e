#!/usr/bin/env bash
# Lays out what containers of apps hold, one folder for each app: usage: infra/docker/layout.sh FOLDER APP...
# The Dockerfile runs this and copies the result; infra/docker/smoke.mjs runs it and starts the apps from the result.
set -euo pipefail
folder=$(realpath -m "$1")
shift
cd "$(dirname "$0")/../.."
npx turbo run transpile "${@/#/--filter=@scriptorium/}"
for app in "$@"; do
  node infra/docker/layout.mjs "$folder/$app" "$app"
done
