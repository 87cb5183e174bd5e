#!/usr/bin/env bash
# Checks the alert rules and runs their tests by promtool, of Debian's package prometheus. Without it, it says so.
set -euo pipefail
cd "$(dirname "$0")"
if ! command -v promtool >/dev/null; then
  echo 'left out: promtool (apt-get install prometheus)'
  exit 0
fi
promtool check config prometheus.yml
promtool check rules alerts.yml
promtool test rules alerts.test.yml
