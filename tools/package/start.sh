#!/bin/sh
# feierbild: runs the service. feierbild <command> …: a command of the operator (docs/benutzung/betreiber.md).
# Settings: the environment, then the file SETTINGS_FILE, else feierbild.env beside bin/.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
settings=${SETTINGS_FILE:-$here/feierbild.env}
if [ -n "${SETTINGS_FILE:-}" ] && [ ! -f "$settings" ]; then
  echo "SETTINGS_FILE: Die Datei $settings gibt es nicht." >&2
  exit 78
fi
if [ $# -eq 0 ]; then
  set -- @FLAGS@ "$here/server/src/main.ts"
else
  set -- "$here/server/src/cli.ts" "$@"
fi
if [ -f "$settings" ]; then set -- "--env-file=$settings" "$@"; fi
cd "$here"
exec "$here/runtime/node" "$@"
