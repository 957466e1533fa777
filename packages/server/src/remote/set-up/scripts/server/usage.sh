
# Docker tells a manager nothing of what other nodes use. So each node reports that itself to whoever connects to a port, which the rules of
# `swarm_port_rules` close to all but the managers. The program runs for one connection at a time, without rights and for ten seconds at most.
install_usage_report() {
  program=/usr/local/lib/shipway/swarm-usage
  usage_program | write_file "$program" 0755
  address=$(docker info --format '{{.Swarm.NodeAddr}}')
  case $address in
    '' | *[!0-9.]*)
      leave "The Swarm knows this node by an address that is not IPv4: the platform shows neither its free memory and disk nor metrics of its containers."
      return
      ;;
  esac
  if ! runs_systemd; then
    leave "There is no systemd here: report to the managers yourself when the machine starts, as nobody: socat -U TCP4-LISTEN:5444,bind=$address,reuseaddr,fork,max-children=8 EXEC:$program"
    return
  fi
  usage_service | write_file /etc/systemd/system/shipway-swarm-usage@.service 0644
  changed=$written
  write_file /etc/systemd/system/shipway-swarm-usage.socket 0644 <<END
# Written by the set-up of Shipway.
[Unit]
Description=Reports to the managers of a Swarm what this node uses

[Socket]
ListenStream=$address:5444
FreeBind=yes
Accept=yes
MaxConnections=8
# systemd would give up a socket that is called often.
TriggerLimitIntervalSec=0
END
  verb=start
  if [ "$changed$written" != nono ]; then
    act 'Telling systemd of the usage report.' systemctl daemon-reload
    verb=restart
  fi
  # At starts of the machine the script with the rules does it, after the last of them.
  [ "$are_ports_closed" = yes ] || return 0
  act 'Reporting to the managers what this node uses.' systemctl "$verb" shipway-swarm-usage.socket ||
    leave "Port 5444 of $address cannot be used: the platform shows neither the free memory and disk of this node nor metrics of its containers. Free the port, then run this again."
}

usage_service() {
  cat <<END
# Written by the set-up of Shipway.
[Unit]
Description=Reports to a manager of a Swarm what this node uses
CollectMode=inactive-or-failed

[Service]
ExecStart=-$program
StandardInput=null
StandardOutput=socket
StandardError=null
RuntimeMaxSec=10
DynamicUser=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_UNIX
RestrictNamespaces=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
TasksMax=32
MemoryMax=64M
Nice=19
LogLevelMax=warning
END
}

usage_program() {
  cat <<'SHIPWAY_USAGE_PROGRAM'
@usage_program@
SHIPWAY_USAGE_PROGRAM
}
