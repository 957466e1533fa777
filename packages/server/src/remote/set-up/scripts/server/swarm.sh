
check_swarm_words() {
  case $swarm in
    '' | manager | worker) ;;
    *) refuse 2 '--swarm is manager or worker.' ;;
  esac
  if [ -n "$swarm" ]; then check_registry_authority; fi
  case $join in
    *[!A-Za-z0-9-]*) refuse 2 '--join takes the token of a Swarm. Copy the line that the platform shows for nodes.' ;;
  esac
  case $manager$advertise in
    *[!0-9a-fA-F.:\[\]]*) refuse 2 '--manager and --advertise take an address of a machine, --manager with a port: 192.0.2.1:2377.' ;;
  esac
  if [ -n "$join" ]; then
    [ -n "$swarm" ] && [ -n "$manager" ] || refuse 2 '--join goes with --swarm and --manager. Copy the line that the platform shows for nodes.'
  elif [ "$swarm" = worker ]; then
    refuse 2 'A worker needs --join. Copy the line that the platform shows for nodes.'
  fi
}

# A Swarm that the machine is in already stays: an existing one becomes the server.
enter_swarm() {
  [ -n "$swarm" ] || return 0
  if [ "$dry_run" = yes ]; then
    say "Would make this machine a $swarm of a Swarm, and close the ports of its containers to all but the managers."
    return
  fi
  state=$(docker info --format '{{.Swarm.LocalNodeState}}') || refuse 19 'Docker does not answer. Start it, then run this again.'
  case $state in
    active)
      [ -z "$join" ] || is_of_this_swarm ||
        refuse 19 'This machine is a node of another Swarm, and can be in one only. Let it leave that one (docker swarm leave, on a manager with --force), then run this again.'
      say 'This machine is a node of a Swarm.'
      ;;
    *) make_node ;;
  esac
  if [ "$swarm" = manager ] && [ "$(docker info --format '{{.Swarm.ControlAvailable}}')" != true ]; then
    refuse 19 'This machine is a worker of a Swarm, or most of its managers are away. Promote it on a manager (docker node promote), then run this again.'
  fi
  keep_ports_for_managers
  trust_registry
  install_usage_report
}

# A token names the authority of its Swarm, by the SHA-256 of the certificate in 50 digits of base 36. Each node has that certificate.
is_of_this_swarm() {
  certificate=$(docker info --format '{{.DockerRootDir}}')/swarm/certificates/swarm-root-ca.crt
  digest=$(sha256sum <"$certificate" | awk '{
    for (at = 1; at <= 64; at++) digits[at] = index("0123456789abcdef", substr($1, at, 1)) - 1
    for (place = 1; place <= 50; place++) {
      rest = 0
      for (at = 1; at <= 64; at++) { rest = rest * 16 + digits[at]; digits[at] = int(rest / 36); rest %= 36 }
      text = substr("0123456789abcdefghijklmnopqrstuvwxyz", rest + 1, 1) text
    }
    print text
  }')
  case $join in
    *"-$digest-"*) return 0 ;;
  esac
  return 1
}

# The token would stand in the output of `act`.
make_node() {
  set --
  [ -z "$advertise" ] || set -- --advertise-addr "$advertise"
  if [ -n "$join" ]; then
    say 'Joining the Swarm.'
    docker swarm join --token "$join" "$@" "$manager" ||
      refuse 19 "The Swarm could not be joined. See that $manager answers here: the nodes need the ports 2377/tcp, 7946/tcp, 7946/udp and 4789/udp among each other."
    return
  fi
  say 'Making a Swarm.'
  docker swarm init "$@" >/dev/null ||
    refuse 19 'The Swarm could not be made. Where the machine has several addresses, name the one that other nodes reach: add --advertise ADDRESS to the line.'
}

# Containers of a Swarm publish ports on their node for the edges, which run on the managers. Rules in a chain of their own, made again every
# minute from what Docker knows: managers come and go.
keep_ports_for_managers() {
  rules=/usr/local/lib/shipway/swarm-ports.sh
  swarm_port_rules | write_file "$rules" 0755
  if runs_systemd; then
    write_file /etc/systemd/system/shipway-swarm-ports.service 0644 <<END
# Written by the set-up of Shipway.
[Unit]
Description=Closes the ports of containers of a Swarm to all but its managers
After=docker.service

[Service]
Type=oneshot
ExecStart=$rules
END
    changed=$written
    write_file /etc/systemd/system/shipway-swarm-ports.timer 0644 <<END
# Written by the set-up of Shipway.
[Unit]
Description=Closes the ports of containers of a Swarm to all but its managers

[Timer]
OnBootSec=5s
OnUnitActiveSec=60s

[Install]
WantedBy=timers.target
END
    if [ "$changed$written" != nono ]; then
      act 'Telling systemd of it.' systemctl daemon-reload
      act 'Keeping it so.' systemctl enable --now shipway-swarm-ports.timer
    fi
  else
    leave "There is no systemd here: run $rules whenever Docker was started, and after a manager was added."
  fi
  if act 'Closing the ports of containers to all but the managers of the Swarm.' "$rules"; then
    are_ports_closed=yes
  else
    are_ports_closed=no
    leave "Ports that containers of the Swarm publish may be open to everyone: let your firewall take new connections to the ports 32768-60999 from the managers only, or see why $rules fails. Until then the platform shows neither the free memory and disk of this node nor metrics of its containers."
  fi
}

swarm_port_rules() {
  cat <<'END'
#!/bin/sh
# Written by the set-up of Shipway: lets only managers of the Swarm reach ports that its containers publish on this machine and the port of its
# usage report, and no container of this machine reach such ports of any node, or send frames into networks of the Swarm. Published ports go out
# through docker_gwbridge; containers without the Swarm do not.
PATH=$PATH:/usr/sbin:/sbin
# Docker publishes on ports of this range where a service names none. Other published ports of the machine are none of ours.
ports=$(awk '{ print $1 ":" $2 }' /proc/sys/net/ipv4/ip_local_port_range) || exit
managers=$(docker info --format '{{range .Swarm.RemoteManagers}}{{.Addr}} {{end}}') || exit
# A worker does not know the others, which let in nothing that has its address. A manager that cannot tell keeps the rules that it has.
nodes=
case $(docker info --format '{{.Swarm.ControlAvailable}}') in
true)
  nodes=$(docker node ls --quiet) || exit
  nodes=$(docker node inspect --format '{{.Status.Addr}}' $nodes) || exit
  ;;
esac
# Not in DOCKER-USER, which Docker takes out and puts in again for a moment with each network that it makes.
tables() { iptables -w -t mangle "$@"; }
# By which other nodes reach this one. A machine may have its own network on a bridge.
own_devices=$(ip -o -4 address show to "$(docker info --format '{{.Swarm.NodeAddr}}')" | awk '{ print $2 }')

begin() {
  tables -N "$1-NEW" 2>/dev/null || tables -F "$1-NEW" || exit
}

# CHAIN RULE...: the new chain takes the place of the old one at once.
swap() {
  chain=$1
  shift
  tables -I "$@" -j "$chain-NEW" || exit
  while tables -D "$@" -j "$chain" 2>/dev/null; do :; done
  tables -F "$chain" 2>/dev/null
  tables -X "$chain" 2>/dev/null
  tables -E "$chain-NEW" "$chain"
}

# let_managers_in CHAIN [-i DEVICE]
let_managers_in() {
  chain=$1
  shift
  for manager in $managers; do
    case ${manager%:*} in
      *[!0-9.]* | '') ;;
      *) tables -A "$chain-NEW" "$@" -s "${manager%:*}" -j RETURN || exit ;;
    esac
  done
}

begin SHIPWAY-SWARM
let_managers_in SHIPWAY-SWARM
# What was sent to another published port, and led on from there.
tables -A SHIPWAY-SWARM-NEW -m conntrack --ctstate DNAT ! --ctorigdstport "$ports" -j RETURN || exit
tables -A SHIPWAY-SWARM-NEW -j DROP || exit
swap SHIPWAY-SWARM FORWARD -o docker_gwbridge ! -i docker_gwbridge -m conntrack --ctstate NEW

# CHAIN: takes nothing that goes to a node.
drop_to_nodes() {
  begin "$1"
  for address in $nodes $managers; do
    case ${address%:*} in
      *[!0-9.]* | '' | 0.* | 127.*) ;;
      *) tables -A "$1-NEW" -d "${address%:*}" -j DROP || exit ;;
    esac
  done
}

# CHAIN: takes nothing that containers of this machine send to it.
drop_from_bridges() {
  for bridge in docker_gwbridge docker0 br-+; do
    tables -A "$1-NEW" -i "$bridge" -j DROP || exit
  done
}

# Containers of a manager have its address for other nodes. They would get around the edge, and what it asks visitors for.
drop_to_nodes SHIPWAY-SWARM-OUT
swap SHIPWAY-SWARM-OUT FORWARD ! -o docker_gwbridge -p tcp --dport "$ports" -m conntrack --ctstate NEW

# Docker's own proxy takes what containers send to this machine.
begin SHIPWAY-SWARM-IN
drop_from_bridges SHIPWAY-SWARM-IN
swap SHIPWAY-SWARM-IN INPUT -p tcp --dport "$ports" -m conntrack --ctstate NEW

# What the nodes report of themselves is for the managers alone.
drop_to_nodes SHIPWAY-USAGE-OUT
swap SHIPWAY-USAGE-OUT FORWARD ! -o docker_gwbridge -p tcp --dport 5444 -m conntrack --ctstate NEW
begin SHIPWAY-USAGE-IN
for device in $own_devices; do
  let_managers_in SHIPWAY-USAGE-IN -i "$device"
done
drop_from_bridges SHIPWAY-USAGE-IN
let_managers_in SHIPWAY-USAGE-IN
tables -A SHIPWAY-USAGE-IN-NEW -j DROP || exit
swap SHIPWAY-USAGE-IN INPUT -p tcp --dport 5444 -m conntrack --ctstate NEW
# The usage report listens once these rules are there, also after each start of the machine.
if [ -e /etc/systemd/system/shipway-swarm-usage.socket ]; then systemctl start shipway-swarm-usage.socket; fi

# Nodes carry the overlay networks of all environments in datagrams to this port, and take them from each other's addresses, which containers
# have for other nodes, too: one could send frames into the networks of others. What nodes send themselves comes from no bridge of Docker.
# The other ports of the Swarm need no rule: what is sent there is encrypted and authenticated.
data_ports=$(docker info --format '{{with .Swarm.Cluster}}{{.DataPathPort}}{{end}}') || exit
for chain in SHIPWAY-VXLAN SHIPWAY-VXLAN-IN; do
  begin "$chain"
  for device in $own_devices; do
    tables -A "$chain-NEW" -i "$device" -j RETURN || exit
  done
  for bridge in docker_gwbridge docker0 br-+; do
    for port in 4789 $data_ports; do
      [ "$port" = 0 ] || tables -A "$chain-NEW" -i "$bridge" -p udp --dport "$port" -j DROP || exit
    done
  done
done
swap SHIPWAY-VXLAN FORWARD -p udp
swap SHIPWAY-VXLAN-IN INPUT -p udp

# Docker's own proxy listens on IPv6, too, where no edge asks.
[ -e /proc/net/if_inet6 ] || exit 0
set -- INPUT ! -i lo -p tcp --dport "$ports" -m conntrack --ctstate NEW -j REJECT
ip6tables -w -C "$@" 2>/dev/null || ip6tables -w -I "$@" || exit
END
}
