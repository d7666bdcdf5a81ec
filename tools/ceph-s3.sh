#!/usr/bin/env bash
# A real S3 store for tests: Ceph's monitor, one OSD in memory and the RADOS gateway, on 127.0.0.1 only. Needs no root.
#
#   tools/ceph-s3.sh start|stop
#
# S3_DIR    its folder: absolute and short (unix sockets); stop removes it
# S3_PORT   port of the gateway; MON_PORT port of the monitor
# S3_BYTES  its size, in memory
# S3_KEY, S3_SECRET   the credentials that the gateway accepts
set -euo pipefail
S3_DIR=${S3_DIR:-${TMPDIR:-/tmp}/feierbild-s3}
S3_PORT=${S3_PORT:-7480} MON_PORT=${MON_PORT:-13300}
S3_KEY=${S3_KEY:-testaccess} S3_SECRET=${S3_SECRET:-testsecret1234567890}
S3_BYTES=${S3_BYTES:-$((4 << 30))}
CONF=$S3_DIR/ceph.conf

# Only processes whose command line names our configuration are ours (the system may have reused a process id).
ours() { grep -qaF -- "$CONF" "/proc/$1/cmdline" 2>/dev/null; }
alive() { [ -s "$S3_DIR/$1.pid" ] && ours "$(cat "$S3_DIR/$1.pid")"; }

run_daemon() {
  local name=$1
  shift
  setsid "$@" >>"$S3_DIR/log/$name.out" 2>&1 </dev/null &
  echo $! >"$S3_DIR/$name.pid"
}

end_daemon() {
  alive "$1" || return 0
  local pid tries
  pid=$(cat "$S3_DIR/$1.pid")
  kill -KILL "$pid" 2>/dev/null || true
  for ((tries = 0; tries < 100; tries++)); do
    ours "$pid" || break
    sleep 0.05
  done
  rm -f "$S3_DIR/$1.pid"
}

wait_for() {
  local end=$((SECONDS + 60))
  until "$@" >/dev/null 2>&1; do
    if [ "$SECONDS" -ge "$end" ]; then
      echo "timeout: $*" >&2
      tail -n5 "$S3_DIR"/log/*.out >&2
      return 1
    fi
    sleep 0.1
  done
}

osd_up() { ceph -c "$CONF" --connect-timeout 5 osd dump | grep -q '^osd.0 up'; }
gateway_up() { (exec 3<>"/dev/tcp/127.0.0.1/$S3_PORT"); }

write_conf() {
  cat >"$CONF" <<CONFIG
[global]
fsid=$1
mon_host=v2:127.0.0.1:$MON_PORT
public_addr=127.0.0.1
cluster_addr=127.0.0.1
auth_cluster_required=none
auth_service_required=none
auth_client_required=none
keyring=$S3_DIR/keyring
run_dir=$S3_DIR/run
crash_dir=$S3_DIR/run
admin_socket=$S3_DIR/run/\$name.asok
log_file=$S3_DIR/log/\$name.log
osd_pool_default_size=1
osd_pool_default_min_size=1
osd_pool_default_pg_num=4
osd_pool_default_pg_autoscale_mode=off
osd_crush_chooseleaf_type=0
mon_allow_pool_size_one=true
[mon]
mon_data=$S3_DIR/mon
mon_data_avail_crit=1
paxos_propose_interval=0.05
paxos_min_wait=0.01
[osd]
osd_data=$S3_DIR/osd
osd_objectstore=memstore
memstore_device_bytes=$S3_BYTES
[client.rgw]
ms_mon_client_mode=crc
rgw_frontends=beast endpoint=127.0.0.1:$S3_PORT tcp_nodelay=1
rgw_rados_pool_pg_num_min=4
rgw_override_bucket_index_max_shards=1
rgw_dynamic_resharding=false
rgw_run_sync_thread=false
rgw_gc_obj_min_wait=10
rgw_gc_processor_period=10
CONFIG
}

start() {
  stop
  mkdir -p "$S3_DIR"/{mon,osd,run,log}
  : >"$S3_DIR/keyring"
  local id
  id=$(cat /proc/sys/kernel/random/uuid)
  write_conf "$id"
  monmaptool --create --clobber --addv a "[v2:127.0.0.1:$MON_PORT]" --fsid "$id" "$S3_DIR/monmap" >/dev/null
  ceph-mon -c "$CONF" -i a --mkfs --monmap "$S3_DIR/monmap" >"$S3_DIR/log/mkfs.out" 2>&1
  run_daemon mon ceph-mon -c "$CONF" -i a -f
  ceph -c "$CONF" --connect-timeout 20 osd new "$id" 0 >>"$S3_DIR/log/mkfs.out" 2>&1
  ceph-osd -c "$CONF" -i 0 --mkfs --osd-uuid "$id" >>"$S3_DIR/log/mkfs.out" 2>&1
  run_daemon osd ceph-osd -c "$CONF" -i 0 -f
  # If the gateway starts before the OSD, it waits 5 s for its next try.
  wait_for osd_up
  run_daemon rgw radosgw -c "$CONF" -n client.rgw -f
  wait_for radosgw-admin -c "$CONF" user create --uid=test --display-name=test --access-key="$S3_KEY" --secret-key="$S3_SECRET"
  wait_for gateway_up
  alive rgw || {
    echo "radosgw died; is port $S3_PORT taken?" >&2
    return 1
  }
}

stop() {
  local name
  for name in rgw osd mon; do end_daemon "$name"; done
  # A folder with our configuration is ours, so a wrong S3_DIR costs nothing.
  if [ -e "$CONF" ]; then rm -rf "$S3_DIR"; fi
}

case ${1:-} in
  start) start ;;
  stop) stop ;;
  *)
    echo "usage: $0 start|stop" >&2
    exit 2
    ;;
esac
