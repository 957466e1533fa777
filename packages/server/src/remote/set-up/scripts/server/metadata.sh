
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
    leave "Containers may reach the metadata service of a cloud: Docker has no chain DOCKER-USER here. Keep them from 169.254.169.254 by your firewall."
}

metadata_rules() {
  cat <<'END'
#!/bin/sh
# Written by the set-up of Shipway: keeps containers from the metadata services of clouds.
PATH=$PATH:/usr/sbin:/sbin
for address in 169.254.0.0/16 100.100.100.200 192.0.0.192; do
  set -- DOCKER-USER -d "$address" -p tcp ! --dport 53 -j REJECT
  iptables -w -C "$@" 2>/dev/null || iptables -w -I "$@" 2>/dev/null || exit
done
END
}
