#!/bin/sh
# Exits with 0 if the service on this machine answers, for a container's health check. Settings: as for bin/feierbild.
here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
exec "$here/runtime/node" --env-file-if-exists="${SETTINGS_FILE:-$here/feierbild.env}" -e "
  const { HOST = '', PORT = '' } = process.env;
  const everywhere = ['', '0.0.0.0', '::'].includes(HOST.trim());
  const host = everywhere ? '127.0.0.1' : HOST.includes(':') ? '[' + HOST.trim() + ']' : HOST.trim();
  fetch('http://' + host + ':' + (PORT.trim() || 8080) + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1));
"
