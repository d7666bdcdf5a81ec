#!/bin/sh
# feierbild: runs the service. feierbild <command> …: runs a command of the operator (docs/benutzung/betreiber.md).
# Settings: the environment, then the file SETTINGS_FILE, else feierbild.env beside bin/.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
settings=${SETTINGS_FILE:-$here/feierbild.env}
# A relative name is meant from here, too: the program runs in its own folder.
case $settings in /*) ;; *) settings=$PWD/$settings ;; esac
if [ -n "${SETTINGS_FILE:-}" ] && [ ! -f "$settings" ]; then
  echo "SETTINGS_FILE: Die Datei $settings gibt es nicht." >&2
  exit 78
fi
if [ -f "$settings" ] && [ ! -r "$settings" ]; then
  echo "Die Einstellungen in $settings darf dieser Benutzer nicht lesen. Geben Sie die Datei dem Benutzer des Dienstes (chown), oder starten Sie als dieser." >&2
  exit 78
fi
if ! "$here/runtime/node" --version > /dev/null 2>&1; then
  echo "Die mitgebrachte Laufzeit startet hier nicht: $("$here/runtime/node" --version 2>&1) Auf Debian und Ubuntu fehlt meist libatomic1 (apt-get install libatomic1), auf Fedora libatomic." >&2
  exit 78
fi
if [ $# -eq 0 ]; then
  set -- @FLAGS@ "$here/server/src/main.ts"
else
  set -- "$here/server/src/cli.ts" "$@"
  # Files and folders in the command's words are meant from here.
  export CALLED_IN="$PWD"
fi
if [ -f "$settings" ]; then set -- "--env-file=$settings" "$@"; fi
cd "$here"
exec "$here/runtime/node" "$@"
