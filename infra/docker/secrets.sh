#!/usr/bin/env bash
# Makes what docker-compose.yml reads from ./secrets (or the folder given): a password for the servers, their addresses within
# the network of the containers, the secret keys of the installation, and the key of the runtime of scripts. What is there already stays as it is.
# Only the owner can enter the folder; the files in it can be read by all, since programs in containers have other users.
set -euo pipefail
folder=$(realpath -m "${1:-$(dirname "$0")/../../secrets}")
mkdir -p "$folder"
chmod 0700 "$folder"

# keep NAME TEXT: a file that is there already is left alone.
keep() {
  [ -e "$folder/$1" ] && return
  printf '%s' "$2" >"$folder/$1"
  chmod 0444 "$folder/$1"
  echo "made $folder/$1"
}
random() {
  head -c 32 /dev/urandom | base64
}

keep servers-password "p$(random | tr -dc 'a-zA-Z0-9')"
password=$(cat "$folder/servers-password")
keep secret-keys "k1:$(random),reservation:$(random)"
keep eventstore-url 'esdb://eventstore:2113?tls=false'
keep mongodb-url "mongodb://scriptorium:$password@mongodb:27017"
keep nats-url "nats://scriptorium:$password@nats:4222"
keep runtime-key "$(random | tr -dc 'a-zA-Z0-9')"
for optional in smtp-url files-s3-access-key-id files-s3-secret-access-key translation-key conversations-chat-key \
  conversations-embeddings-key; do
  keep "$optional" ''
done
keep npm-start.env "# Add these lines to .env, and npm start uses the servers of docker-compose.yml instead of the embedded ones.
EVENTSTORE_URL=esdb://127.0.0.1:2113?tls=false
MONGODB_URL=mongodb://scriptorium:$password@127.0.0.1:27017
NATS_URL=nats://scriptorium:$password@127.0.0.1:4222
"
