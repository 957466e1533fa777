
# Installs missing programs; existing ones keep their version.
find_missing() {
  missing=''
  has sshd || missing="$missing openssh-server"
  has git || missing="$missing git"
  has curl || missing="$missing curl"
  if [ "$edge" = haproxy ]; then
    has haproxy || missing="$missing haproxy"
    has socat || missing="$missing socat"
    has setpriv || missing="$missing util-linux"
  fi
  [ "$swarm" != manager ] || find_missing_registry
  has runuser || missing="$missing util-linux"
  # Without sudo a server works, but cannot separate the commands of the manual recipe. The end of the script says so.
  has sudo || ! has apt-get || missing="$missing sudo"
  [ -z "$missing" ] || has apt-get ||
    refuse 11 "These are missing, and this script installs with apt-get only:$missing. Install them by hand, then run it again."
}

install_packages() {
  if [ -n "$missing" ]; then
    install_missing
  else
    say 'The programs that deployments need are installed.'
  fi
  stop_package_registry
}

install_missing() {
  had_haproxy=no
  if has haproxy; then had_haproxy=yes; fi
  refresh_packages
  case "$missing " in *' docker-registry '*) note_package_registry ;; esac
  # One word for each package.
  # shellcheck disable=SC2086
  apt_install $missing
  # The package starts an HAProxy with an empty configuration. The edge runs its own.
  if [ "$edge" = haproxy ] && [ "$had_haproxy" = no ] && runs_systemd; then
    act "Stopping the HAProxy that the package started: the edge is a service of its own." \
      systemctl disable --now haproxy.service
  fi
}

# A registry that was here before is somebody's own, and stays. The file says that this one is not, also to the next run if this one is
# interrupted.
package_registry=/usr/local/lib/shipway/package-registry

note_package_registry() {
  [ "$dry_run" = no ] || return 0
  mkdir -p "${package_registry%/*}"
  : >"$package_registry"
}

stop_package_registry() {
  [ -e "$package_registry" ] && has docker-registry || return 0
  if runs_systemd; then
    act 'Stopping the registry that the package started: it asks nobody who they are.' \
      systemctl disable --now docker-registry.service
  fi
  [ "$dry_run" = yes ] || rm "$package_registry"
}

refresh_packages() {
  [ "$refreshed" = no ] || return 0
  refreshed=yes
  act 'Reading the lists of packages.' apt-get update -qq ||
    refuse 16 'apt-get update failed. What it said stands above; mend that, then run this again.'
}

apt_install() {
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  act "Installing: $*." apt-get install -y -qq --no-install-recommends "$@" ||
    refuse 16 'apt-get install failed. What it said stands above; mend that, then run this again.'
}

# Docker 24 or newer, Compose 2.24 or newer: from Docker's own packages if this machine knows them, otherwise from the distribution.
install_docker() {
  if ! has docker; then
    choose_docker
    [ -z "$docker_packages" ] || [ -e /etc/docker/daemon.json ] || keep_builds_apart
    # shellcheck disable=SC2086
    if [ -n "$docker_packages" ]; then apt_install $docker_packages; else leave "$docker_offered$docker_by_hand"; fi
  fi
  has docker || return 0
  if runs_systemd && ! systemctl is-active --quiet docker.service; then
    act 'Starting Docker, now and at every start of the machine.' systemctl enable --now docker.service ||
      leave 'Docker does not start. See why with: journalctl -u docker.service'
  fi
  check_docker
}

# Builds share Docker's default bridge. Set before Docker's first start, so that no restart is needed.
keep_builds_apart() {
  echo '{ "icc": false }' | write_file /etc/docker/daemon.json 0644
}

docker_by_hand="Install Docker Engine 24 or newer with its Compose and Buildx plugins, for example with Docker's own script (https://docs.docker.com/engine/install): curl -fsSL https://get.docker.com | sudo sh. Then run this line again. Until then only environments with the manual recipe can be deployed here."

choose_docker() {
  docker_packages='' docker_offered=''
  has apt-get || return 0
  refresh_packages
  if [ "$(candidate docker-ce)" -ge 24 ]; then
    docker_packages='docker-ce docker-ce-cli containerd.io docker-compose-plugin docker-buildx-plugin'
  elif [ "$(candidate docker.io)" -ge 24 ]; then
    compose=docker-compose
    if [ "$(candidate docker-compose-v2)" -ge 2 ]; then compose=docker-compose-v2; fi
    [ "$(candidate "$compose")" -ge 2 ] || return 0
    docker_packages="docker.io $compose docker-buildx"
    if [ "$(candidate docker-cli)" -ge 24 ]; then docker_packages="$docker_packages docker-cli"; fi
  elif [ "$(candidate docker.io)" -gt 0 ]; then
    docker_offered="Docker is not installed: this system's packages have version $(candidate docker.io), which is too old. "
  fi
}

# Major version that would be installed; 0 if there is none.
candidate() {
  number=$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: \([0-9]*:\)\{0,1\}\([0-9][0-9]*\).*/\2/p')
  echo "${number:-0}"
}

check_docker() {
  [ "$dry_run" = no ] || return 0
  if ! version=$(docker version --format '{{.Server.Version}}' 2>/dev/null); then
    leave 'Docker is installed, but its daemon does not answer. Start dockerd.'
    return 0
  fi
  at_least "$version" 24 0 || leave "Docker is version $version. $docker_by_hand"
  compose=$(docker compose version --short 2>/dev/null) || compose=''
  at_least "$compose" 2 24 || leave "Docker's Compose plugin is ${compose:-missing}; 2.24 is needed. $docker_by_hand"
  docker buildx version >/dev/null 2>&1 || leave "Docker has no Buildx plugin. $docker_by_hand"
}

# VERSION MAJOR MINOR
at_least() {
  number=${1#v}
  major=${number%%[!0-9]*}
  number=${number#"$major".}
  minor=${number%%[!0-9]*}
  [ "${major:-0}" -gt "$2" ] || { [ "${major:-0}" -eq "$2" ] && [ "${minor:-0}" -ge "$3" ]; }
}

# In KiB. Docker's images are in /var/lib by default.
check_room() {
  room=$(df -Pk /var/lib | awk 'NR == 2 { print $4 }')
  if [ "$room" -lt 2097152 ]; then
    refuse 15 "/var/lib has $((room / 1024)) MiB of free room. Make at least 2 GiB free, better 10 GiB, then run this again."
  fi
  if [ "$room" -lt 10485760 ]; then
    leave "/var/lib has $((room / 1048576)) GiB of free room. Images are large: give it at least 10 GiB."
  fi
}

# Certificates are valid for minutes, so the clock must be right.
check_clock() {
  runs_systemd && has timedatectl || return 0
  if [ "$(timedatectl show --property=NTPSynchronized --value 2>/dev/null)" = no ]; then
    leave 'The clock of this machine is not kept right by itself. Let it: timedatectl set-ntp true'
  fi
}
