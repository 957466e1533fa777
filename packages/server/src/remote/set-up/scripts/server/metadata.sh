
# Clouds offer metadata to their machines at a fixed address, often with credentials, and containers could request it too. Name servers of
# clouds have such addresses as well, so port 53 stays open.
keep_from_metadata() {
  has docker || return 0
  rules=/usr/local/lib/shipway/keep-from-metadata.sh
  metadata_rules | write_file "$rules" 0755
  if runs_systemd; then
    write_file /etc/systemd/system/docker.service.d/shipway-metadata.conf 0644 <<END
# Written by the set-up of Shipway.
[Service]
ExecStartPost=-$rules
END
    if [ "$written" = yes ]; then act 'Telling systemd of it.' systemctl daemon-reload; fi
  else
    leave "There is no systemd here: run $rules whenever Docker was started."
  fi
  act 'Keeping containers from the metadata service of a cloud.' "$rules" ||
    leave "Containers may reach the metadata service of a cloud: $rules fails, since Docker has no chain DOCKER-USER here or the kernel takes no such rules. Keep them from 169.254.169.254 by your firewall."
}

metadata_rules() {
  cat <<'END'
#!/bin/sh
# Written by the set-up of Shipway: keeps containers from the metadata services of clouds.
PATH=$PATH:/usr/sbin:/sbin

# TABLE CHAIN RULE...
add() {
  table=$1
  shift
  iptables -w -t "$table" -C "$@" 2>/dev/null || iptables -w -t "$table" -I "$@" 2>/dev/null || exit
}

# The first answers at once. Docker takes its chain out and puts it in again for a moment with each network that it makes: then the second
# holds, which lets through what the machine itself sends.
for address in 169.254.0.0/16 100.100.100.200 192.0.0.192; do
  add filter DOCKER-USER -d "$address" -p tcp ! --dport 53 -j REJECT
  add mangle POSTROUTING -m addrtype ! --src-type LOCAL -d "$address" -p tcp ! --dport 53 -j DROP
done
END
}
