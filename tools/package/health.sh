#!/bin/sh
# Exits with 0 if the service on this machine answers, for a container's health check.
here=$(CDPATH='' cd -- "$(dirname -- "$(readlink -f -- "$0")")/.." && pwd)
exec "$here/runtime/node" -e "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"
