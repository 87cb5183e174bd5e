#!/usr/bin/env bash
# Starts the program of a container in a folder made by layout.sh, as a container would have it: the tree read-only, no
# privileges, data and temporary files in memory that may be written. Run it as root by `unshare --mount`:
#   unshare --mount --propagation private infra/docker/enter.sh ROOT DATA COMMAND...
# DATA is a folder that stands for the volume; the mounts are gone when the program ends.
set -euo pipefail
root=$1
data=$2
shift 2
user=65532
mount --bind "$root" "$root"
mount --options remount,bind,ro "$root"
mount --bind "$data" "$root/data"
mount --types tmpfs --options mode=1777,nosuid,nodev tmpfs "$root/tmp"
mount --rbind /proc "$root/proc"
mount --bind /dev "$root/dev"
cd /
exec setpriv --no-new-privs chroot --userspec=$user:$user --groups= "$root" "$@"
