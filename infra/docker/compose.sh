#!/usr/bin/env bash
# Loads docker-compose.yml by the library of Docker Compose, without settings and with all of .env.example. Needs Go, and a proxy
# of Go modules, but no Docker; what it builds stays in a folder of the user's cache.
set -euo pipefail
cd "$(dirname "$0")"
version=v2.16.2
command -v go >/dev/null || { echo 'left out: the library of Docker Compose (go is not on the PATH)'; exit 0; }
folder=${XDG_CACHE_HOME:-$HOME/.cache}/scriptorium-compose/$version
mkdir -p "$folder"
if ! [ -x "$folder/load" ] || [ compose/main.go -nt "$folder/load" ]; then
  cp compose/main.go "$folder"
  (cd "$folder" && rm -f go.mod go.sum && go mod init load && go get "github.com/compose-spec/compose-go/v2@$version" && go mod tidy && go build -o load .) >"$folder/log" 2>&1 ||
    { tail -5 "$folder/log" >&2; exit 1; }
fi
cd ../..
failed=0
for settings in /dev/null .env.example; do
  mapfile -t given < <(sed -nE 's/^#?([A-Z_0-9]+=.*)/\1/p' "$settings")
  said=$(env -i "${given[@]}" "$folder/load" docker-compose.yml) || failed=1
  echo "docker-compose.yml with the settings of $settings: ${said:-refused}"
done
exit "$failed"
