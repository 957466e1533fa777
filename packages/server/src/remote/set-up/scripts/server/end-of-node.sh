
# A worker runs containers alone: the platform never signs in to it.
set_up_worker() {
  missing=''
  has curl || missing="$missing curl"
  [ -z "$missing" ] || has apt-get || refuse 11 "These are missing, and this script installs with apt-get only:$missing. Install them by hand, then run it again."
  check_room
  install_packages
  install_docker
  has docker || refuse 16 "$docker_by_hand"
  keep_from_metadata
  enter_swarm
  check_clock
  say ''
  if [ -n "$left" ]; then say "Left to do by hand:$left"; fi
  if [ "$dry_run" = yes ]; then
    say 'Nothing was changed.'
    return
  fi
  say 'Open 7946/tcp, 7946/udp and 4789/udp in the firewall, only for the other nodes of the Swarm, and 5444/tcp only for its managers.'
  [ -z "$left" ] || exit 3
  say 'Done. The platform lists this node within a minute.'
}
