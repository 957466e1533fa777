
# Before any change: an existing account must be one that the platform can use.
check_account() {
  home=/home/$user
  if account=$(getent passwd "$user"); then
    refuse_platform_account
    home=$(printf %s "$account" | cut -d : -f 6)
    [ "$(printf %s "$account" | cut -d : -f 3)" -ne 0 ] ||
      refuse 18 "$user is root. Deployments would be, too: choose a user of their own, for this server in the platform as well."
    case ${account##*:} in
      */nologin | */false) refuse 18 "The user $user has no shell. Choose another user, or give it one: usermod -s /bin/sh $user" ;;
    esac
  else
    has useradd || refuse 18 "There is no useradd here. Create the user $user with a home and the shell /bin/sh, then run this again."
  fi
  case $home in
    *[!A-Za-z0-9/._-]* | [!/]* | '') refuse 18 "The home of $user holds characters that the edge cannot use. Choose another user." ;;
  esac
}

# The platform's data folder contains its master key and its database. Deployments, and people with a certificate for a shell, must not run
# as the user that owns it. The platform's lock file identifies a data folder.
refuse_platform_account() {
  owned=$(find_data_folder | head -n 1)
  [ -z "$owned" ] ||
    refuse 18 "$user is the user that the platform itself runs as here: $owned. Deployments could read the master key. Choose another user for this server in the platform, such as shipway-deploy, and run the line that it shows then."
}

find_data_folder() {
  find "$(printf %s "$account" | cut -d : -f 6)" /var/lib /opt /srv -xdev -maxdepth 4 -name shipway.lock -user "$user" 2>/dev/null
  for unit in $(grep -ls SHIPWAY_DATA /etc/systemd/system/*.service /usr/lib/systemd/system/*.service /usr/local/lib/systemd/system/*.service); do
    if grep -q -x -e "User=$user" "$unit"; then printf '%s\n' "$unit"; fi
  done
  # A platform that was started by hand has its data in its working folder, or where its settings say.
  for process in $(find /proc -maxdepth 1 -name '[0-9]*' -user "$user" 2>/dev/null); do
    # The process may have ended meanwhile.
    folder=$({ tr '\0' '\n' <"$process/environ"; } 2>/dev/null | sed -n 's/^SHIPWAY_DATA=//p') || :
    case $folder in
      /*) ;;
      *) folder=$process/cwd/${folder:-data} ;;
    esac
    if [ -e "$folder/shipway.lock" ]; then readlink -f "$folder"; fi
  done
}

# Sets a random password that is not stored anywhere. An account that is locked with '!' could not sign in with a certificate either.
make_account() {
  if [ -z "$account" ]; then
    act "Creating the user $user." useradd --create-home --home-dir "$home" --shell /bin/sh --password '*' "$user"
  else
    say "The user $user is there."
    case $(getent shadow "$user" | cut -d : -f 2) in
      '!'*) act "Letting $user sign in by certificate: the account was locked." usermod --password '*' "$user" ;;
    esac
  fi
  if getent group docker >/dev/null; then
    case " $(id -nG "$user" 2>/dev/null) " in
      *' docker '*) say "$user may use Docker." ;;
      *) act "Letting $user use Docker. Who may do that can do anything on this machine." usermod --append --groups docker "$user" ;;
    esac
  fi
  # Processes of a deployment continue after the platform has disconnected.
  if runs_systemd && has loginctl && ! [ -e "/var/lib/systemd/linger/$user" ]; then
    act "Letting the processes of $user run on while no user is signed in." loginctl enable-linger "$user" ||
      leave "What $user runs may be ended when the platform signs off. Prevent it: loginctl enable-linger $user"
  fi
}
