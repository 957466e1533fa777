
# The registry of a Swarm: its managers run one, and all nodes trust it. Needs --registry-authority, the certificate of the authority that the
# platform has for this Swarm. Nothing of it is secret: the platform brings the keys of the registry itself.
check_registry_authority() {
  case $registry_authority in
    M*) ;;
    *) refuse 2 '--registry-authority takes the certificate that the line of the platform names. Copy the line that it shows now.' ;;
  esac
  case $registry_authority in
    *[!A-Za-z0-9+/=]*) refuse 2 '--registry-authority takes the certificate that the line of the platform names. Copy the line that it shows now.' ;;
  esac
}

# Before the packages: what a manager lacks.
find_missing_registry() {
  has docker-registry || ! has apt-get || missing="$missing docker-registry"
}

# Runs as the platform's user, who writes its settings at the first deployment.
install_registry() {
  program=/usr/local/lib/shipway/registry-$installation
  unit=shipway-registry-$installation.service
  if ! has docker-registry; then
    leave 'There is no docker-registry here: name a registry of your own for the server in the platform.'
    return
  fi
  registry_program | write_file "$program" 0755
  if ! runs_systemd; then
    leave "There is no systemd here: run the registry yourself when the machine starts, as $user: $program $home/.shipway/$installation/registry"
    return
  fi
  changed=$written
  write_file "/etc/systemd/system/$unit" 0644 <<END
# Written by the set-up of Shipway.
[Unit]
Description=Registry of the Shipway installation $installation
After=network-online.target docker.service
Wants=network-online.target

[Service]
User=$user
NoNewPrivileges=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=full
ExecStart=$program $home/.shipway/$installation/registry
Restart=always
RestartSec=1

[Install]
WantedBy=multi-user.target
END
  start_unit_again "$unit" "$changed$written"
}

# UNIT yes... where something of it was written
start_unit_again() {
  case $2 in
    *yes*)
      act "Telling systemd of $1." systemctl daemon-reload
      act 'Starting it, now and at every start of the machine.' systemctl enable "$1"
      act 'Starting it with these settings.' systemctl restart "$1"
      ;;
    *) act "Seeing that $1 runs." systemctl start "$1" ;;
  esac
}

# After the machine has joined the Swarm, by which it knows the managers.
trust_registry() {
  program=/usr/local/lib/shipway/swarm-node-$installation
  name=shipway-swarm-node-$installation
  { echo '-----BEGIN CERTIFICATE-----' && printf '%s\n' "$registry_authority" | fold -w 64 && echo '-----END CERTIFICATE-----'; } |
    write_file "/usr/local/lib/shipway/registry-$installation.crt" 0644
  node_program | sed "s|@installation@|$installation|g" | write_file "$program" 0755
  act 'Trusting the registries of the managers, for their addresses only.' "$program" ||
    leave "Docker does not trust the registry yet. Run it when Docker answers: sudo $program"
  if ! runs_systemd; then
    leave "There is no systemd here: run $program every ten minutes. It trusts new managers, and removes images that nothing uses."
    return
  fi
  write_file "/etc/systemd/system/$name.service" 0644 <<END
# Written by the set-up of Shipway.
[Unit]
Description=Keeps this node of a Swarm in order
After=docker.service

[Service]
Type=oneshot
ExecStart=$program
END
  changed=$written
  write_file "/etc/systemd/system/$name.timer" 0644 <<END
# Written by the set-up of Shipway.
[Unit]
Description=Keeps this node of a Swarm in order

[Timer]
OnBootSec=1min
OnUnitActiveSec=10min

[Install]
WantedBy=timers.target
END
  start_unit_again "$name.timer" "$changed$written"
}

registry_program() {
  cat <<'SHIPWAY_REGISTRY_PROGRAM'
@registry_program@
SHIPWAY_REGISTRY_PROGRAM
}

node_program() {
  cat <<'SHIPWAY_NODE_PROGRAM'
@node_program@
SHIPWAY_NODE_PROGRAM
}
