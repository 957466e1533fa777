
# Refuses everything that can be refused before the first change, so that an unsuitable machine stays unchanged.
main() {
  left='' refreshed=no account=''
  read_words "$@"
  [ "$dry_run" = yes ] || [ "$(id -u)" -eq 0 ] || refuse 10 'This needs root. Run it with sudo, or as root.'
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  if [ "$swarm" = worker ]; then
    set_up_worker
    return
  fi
  find_missing
  check_account
  check_room
  check_ports
  install_packages
  install_docker
  keep_from_metadata
  make_account
  trust_authority
  enter_swarm
  install_edge
  [ "$swarm" != manager ] || [ "$dry_run" = yes ] || install_registry
  install_commands
  check_clock
  tell_what_is_left
}

tell_what_is_left() {
  say ''
  if [ -n "$left" ]; then say "Left to do by hand:$left"; fi
  if [ "$dry_run" = yes ]; then
    say 'Nothing was changed.'
    return
  fi
  say "The platform can sign in as $user now. Host key of this machine: $(ssh-keygen -l -f /etc/ssh/ssh_host_ed25519_key.pub 2>/dev/null | cut -d ' ' -f 2)"
  ports="$(sshd_setting port | paste -s -d ' ' -) for the platform"
  if [ "$edge" = haproxy ]; then ports="$ports, $http_port and $https_port for everyone"; fi
  say "Open these ports in your firewall: $ports."
  [ "$swarm" != manager ] || say 'Open 2377/tcp, 7946/tcp, 7946/udp, 4789/udp and 5443/tcp only for the other nodes of the Swarm, and 5444/tcp only for its managers.'
  [ -z "$left" ] || exit 3
  say 'Done. Check the server in the platform.'
}

# At the very end, so that a truncated download does nothing. The script itself may be standard input, so no command may read it.
main "$@" </dev/null
