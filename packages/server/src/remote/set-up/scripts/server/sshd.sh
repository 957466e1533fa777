
# Lets the platform sign in only as its user: the authority is trusted inside a Match block, for certificates that name the principal of
# this server. The name of the user would not be enough: certificates for other servers could name the same user.
trust_authority() {
  key_file=/etc/ssh/shipway-$installation.pub
  principals_file=/etc/ssh/shipway-$installation.principals
  settings_file=/etc/ssh/sshd_config.d/50-shipway-$installation.conf
  check_sshd
  prepare_people
  keep_old "$key_file" key
  keep_old "$principals_file" principals
  keep_old "$settings_file" settings
  keep_old "$break_glass_file" break-glass
  authorities | write_file "$key_file" 0644
  principals | write_file "$principals_file" 0644
  write_break_glass
  # A client that is lost without a word ends after three minutes, and with it what it runs: the container of a command, the reader of a log.
  write_file "$settings_file" 0644 <<END
# Written by the set-up of Shipway: the platform signs in as $user with certificates of its own authority.
Match User $user
  TrustedUserCAKeys $key_file
  AuthorizedPrincipalsFile $principals_file
  PubkeyAuthentication yes
  MaxSessions 10
  AcceptEnv GIT_PROTOCOL
  ClientAliveInterval 60
  ClientAliveCountMax 3
$(people_settings)
END
  [ "$dry_run" = no ] || return 0
  "$sshd" -t 2>"$work/said" || take_back "sshd refuses the settings: $(head -n 1 "$work/said"). They were taken back, and nothing else was changed in sshd."
  trusted=$(sshd_setting trustedusercakeys)
  case $trusted in
    "$key_file") ;;
    none) take_back "sshd does not read $settings_file. Add this line at the top of /etc/ssh/sshd_config, then run this again: Include /etc/ssh/sshd_config.d/*.conf" ;;
    *) take_back "For the user $user sshd trusts the authority in $trusted already. If that is of another installation, choose another user for this one." ;;
  esac
  [ -z "$people" ] || [ "$(sshd_setting revokedkeys)" = "$access/revoked" ] ||
    take_back "For the user $user sshd goes by another list of revoked keys, $(sshd_setting revokedkeys). Take that setting out of the Match block that names it, or choose another user."
  note_restrictions
  reload_sshd
  tell_trusted
}

# This machine may be several servers of one organization, whose principals stay. Removes all other principals: the name of the user, which
# earlier versions of the set-up wrote, and those of an organization that had the machine before.
principals() {
  {
    printf '%s\n' "$principal"
    grep -x "shipway-$organization-[0-9a-f]*" "$principals_file" 2>/dev/null || :
  } | sort -u | people_principals
}

# sshd needs this folder even to check its settings, and it exists only while sshd runs.
check_sshd() {
  [ "$dry_run" = no ] || return 0
  sshd=$(command -v sshd)
  mkdir -p /run/sshd
  ls /etc/ssh/ssh_host_*_key >/dev/null 2>&1 || act 'Making host keys for sshd.' ssh-keygen -A
  "$sshd" -t 2>"$work/said" ||
    refuse 13 "The settings of sshd are not valid as they are: $(head -n 1 "$work/said"). Mend them, then run this again. Nothing was changed in them."
}

keep_old() {
  if [ -e "$1" ]; then cp -p "$1" "$work/$2.old"; fi
}

put_back() {
  if [ -e "$work/$2.old" ]; then mv -f "$work/$2.old" "$1"; else rm -f "$1"; fi
}

take_back() {
  put_back "$key_file" key
  put_back "$principals_file" principals
  put_back "$settings_file" settings
  put_back "$break_glass_file" break-glass
  refuse 13 "$1"
}

# NAME: its value for the platform's user.
sshd_setting() {
  "$sshd" -T -C "user=$user,host=localhost,addr=127.0.0.1" | sed -n "s|^$1 ||p"
}

# Settings that restrict who is let in belong to the owner of this machine: they stay.
note_restrictions() {
  users=$(sshd_setting allowusers)
  groups=$(sshd_setting allowgroups)
  [ -z "$users" ] || names_one "$users" "$user" || leave "sshd lets in only the users that AllowUsers names. Add $user to them."
  # One word for each group.
  # shellcheck disable=SC2046
  [ -z "$groups" ] || names_one "$groups" $(id -nG "$user") || leave "sshd lets in only the groups that AllowGroups names. Add $user to one of them."
}

# LINES WORD...: succeeds if one of the words is one of the lines.
names_one() {
  lines=$1
  shift
  for word in "$@"; do
    if printf '%s\n' "$lines" | grep -qxF -e "$word"; then return 0; fi
  done
  return 1
}

reload_sshd() {
  if runs_systemd; then
    for unit in ssh sshd; do
      if systemctl is-active --quiet "$unit.service"; then
        act 'Telling sshd to read its settings. Open connections stay.' systemctl reload "$unit.service"
        return
      fi
    done
    say 'sshd is started at each connection, and reads its settings then.'
    return
  fi
  pid_file=$(sshd_setting pidfile)
  if pid=$(cat "$pid_file" 2>/dev/null) && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = sshd ]; then
    act 'Telling sshd to read its settings. Open connections stay.' kill -HUP "$pid"
  else
    leave 'sshd does not run. Start it.'
  fi
}
