
# Before any change: the ports must be free, or already used by this edge.
check_ports() {
  [ "$edge" = haproxy ] || return 0
  folder=$home/.shipway/$installation/edge
  # The path of a socket has at most about a hundred characters.
  [ ${#folder} -le 75 ] || refuse 18 "The home of $user is too long for the socket of the edge: $home. Choose another user."
  for port in "$http_port" "$https_port"; do
    for pid in $(listeners "$port"); do
      is_own_edge "$pid" ||
        refuse 14 "Port $port is taken by $(cat "/proc/$pid/comm" 2>/dev/null) (process $pid). Stop it, choose others with --edge-http-port and --edge-https-port, or leave the edge out with --edge none."
    done
  done
}

# PORT: the processes that listen on it, according to the kernel.
listeners() {
  hex=$(printf ':%04X' "$1")
  for inode in $(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v port="$hex" '$4 == "0A" && substr($2, length($2) - 4) == port { print $10 }'); do
    ls -l /proc/[0-9]*/fd 2>/dev/null |
      awk -v socket="socket:[$inode]" '/^\/proc\// { split($0, part, "/") } $NF == socket { print part[3] }'
  done | sort -u
}

# Also if it ran in the home of another user before.
is_own_edge() {
  case " $(tr '\0' ' ' <"/proc/$1/cmdline" 2>/dev/null)" in
    *" -f "*"/.shipway/$installation/edge/haproxy.cfg "*) return 0 ;;
  esac
  return 1
}

# HAProxy runs as the platform's user, who changes its routes; its only capability is to listen on low ports. All changes in the home are
# made as that user: root would follow a link that was put there.
install_edge() {
  if [ "$edge" = none ]; then
    say 'No edge, as asked.'
    return
  fi
  in_address=:$https_port
  if [ "$https_port" -eq 443 ]; then in_address=''; fi
  groups=''
  if [ "$swarm" = manager ]; then groups=" -f $folder/groups.cfg"; fi
  edge_configuration | sed -e "s|@folder@|$folder|g" -e "s|@http_port@|$http_port|g" -e "s|@https_port@|$https_port|g" \
    -e "s|@https_in_address@|$in_address|g" >"$work/haproxy.cfg"
  # HAProxy does not start if it should listen on IPv6 and the machine has none.
  grep -q . /proc/net/if_inet6 2>/dev/null || sed -i '/ v6only/d' "$work/haproxy.cfg"
  if [ "$dry_run" = yes ]; then
    say "Would write the files of the edge in $folder and start HAProxy on the ports $http_port and $https_port."
    return
  fi
  configuration=$(as_user sh -c "$write_edge" sh "$folder" <"$work/haproxy.cfg") ||
    refuse 17 "The files of the edge could not be written in $folder. See that $user may write there."
  say "The files of the edge are in $folder. Its configuration: $configuration."
  if [ "$swarm" = manager ]; then
    balance_groups | as_user sh -c 'umask 077 && { [ -s "$1/groups.cfg" ] || cat >"$1/groups.cfg"; }' sh "$folder" ||
      refuse 17 "The files of the edge could not be written in $folder. See that $user may write there."
  fi
  as_user haproxy -c -q -f "$folder/haproxy.cfg" ${groups:+-f "$folder/groups.cfg"} ||
    refuse 17 "HAProxy does not take the configuration of the edge. It needs version 2.6 or newer: $(haproxy -v | head -n 1)"
  if runs_systemd; then start_unit; else start_daemon; fi
  wait_for_edge
}

as_user() {
  (cd / && exec runuser -u "$user" -- "$@")
}

# FOLDER. Every file that the configuration names must be there, or HAProxy does not start.
# shellcheck disable=SC2016
write_edge='set -e
umask 077
mkdir -p -- "$1/certificates"
cd -- "$1"
for name in @edge_files@; do [ -e "$name" ] || : >"$name"; done
cat >haproxy.cfg.new
if cmp -s haproxy.cfg.new haproxy.cfg; then
  rm haproxy.cfg.new
  echo kept
else
  mv haproxy.cfg.new haproxy.cfg
  echo written
fi'

start_unit() {
  unit=shipway-edge-$installation.service
  write_file "/etc/systemd/system/$unit" 0644 <<END
# Written by the set-up of Shipway.
[Unit]
Description=Edge of the Shipway installation $installation
After=network-online.target
Wants=network-online.target

[Service]
Type=notify
User=$user
AmbientCapabilities=CAP_NET_BIND_SERVICE
CapabilityBoundingSet=CAP_NET_BIND_SERVICE
NoNewPrivileges=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=full
ExecStart=$(command -v haproxy) -Ws -f $folder/haproxy.cfg$groups -p $folder/haproxy.pid
ExecReload=$(command -v haproxy) -c -q -f $folder/haproxy.cfg$groups
ExecReload=/bin/kill -USR2 \$MAINPID
KillMode=mixed
SuccessExitStatus=143
Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
END
  if [ "$written" = yes ]; then
    act 'Telling systemd of the edge.' systemctl daemon-reload
    act 'Starting the edge, now and at every start of the machine.' systemctl enable "$unit"
    act 'Starting it with these settings.' systemctl restart "$unit" || refuse_edge "journalctl -u $unit"
    return
  fi
  case $configuration in
    written) act 'Letting the edge take the configuration, without losing a request.' systemctl reload-or-restart "$unit" || refuse_edge "journalctl -u $unit" ;;
    *) act 'Seeing that the edge runs.' systemctl start "$unit" || refuse_edge "journalctl -u $unit" ;;
  esac
}

# Without systemd, the edge does not start with the machine: the end of the script says so.
start_daemon() {
  leave "There is no systemd here: start the edge yourself when the machine starts, by running this again."
  running=$(cat "$folder/haproxy.pid" 2>/dev/null || :)
  case $running in
    '' | *[!0-9]*) running=0 ;;
  esac
  if [ "$running" -gt 0 ] && is_own_edge "$running"; then
    case $configuration in
      written) act 'Letting the edge take the configuration, without losing a request.' start_haproxy -sf "$running" ;;
      *) say 'The edge runs.' ;;
    esac
    return
  fi
  act 'Starting the edge.' start_haproxy
}

start_haproxy() {
  (cd / && exec setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups \
    --inh-caps=-all,+net_bind_service --ambient-caps=-all,+net_bind_service --bounding-set=-all,+net_bind_service --no-new-privs \
    haproxy -D -f "$folder/haproxy.cfg" ${groups:+-f "$folder/groups.cfg"} -p "$folder/haproxy.pid" "$@") || refuse_edge "haproxy -c -f $folder/haproxy.cfg"
}

refuse_edge() {
  refuse 17 "The edge does not start. See why with: $1"
}

# HAProxy answers on its socket a moment after its start.
wait_for_edge() {
  turn=0
  until echo 'show info' | as_user socat -t 5 - "UNIX-CONNECT:$folder/haproxy.sock" 2>/dev/null | grep -q '^Version: '; do
    turn=$((turn + 1))
    [ "$turn" -lt 50 ] || refuse_edge "haproxy -c -f $folder/haproxy.cfg"
    sleep 0.2
  done
  say 'The edge answers.'
}

# The backends of a manager, without an upstream: the platform brings those.
balance_groups() {
  awk 'BEGIN {
    for (port = @first_group@; port <= @last_group@; port++) {
      for (pass = 0; pass < 2; pass++) {
        name = pass ? "fresh" : "kept"
        printf "backend %s%d from %s\n  use-server %%[var(txn.upstream)] if { var(txn.upstream) -m found }\n", name, port, name
      }
    }
  }'
}

edge_configuration() {
  if [ "$swarm" = manager ]; then
    balanced_edge_configuration
    return
  fi
  cat <<'SHIPWAY_EDGE_CONFIGURATION'
@edge_configuration@
SHIPWAY_EDGE_CONFIGURATION
}

balanced_edge_configuration() {
  cat <<'SHIPWAY_EDGE_CONFIGURATION'
@balanced_edge_configuration@
SHIPWAY_EDGE_CONFIGURATION
}
