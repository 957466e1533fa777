
# Commands of the manual recipe run as a user of their environment. Root creates these users, with a program that the platform may call
# through sudo, and that accepts only verbs and numbers.
install_commands() {
  program=/usr/local/lib/shipway/commands-$installation
  rule=/etc/sudoers.d/shipway-$installation
  if ! has sudo || ! has visudo || ! has setpriv; then
    leave "There is no sudo here: commands of the manual recipe run as $user, who may use Docker and read the variables of every environment. Install sudo and util-linux, then run this again."
    return 0
  fi
  command_program | sed -e "s|@installation@|$installation|" -e "s|@platform@|$user|" | write_file "$program" 0755
  [ "$dry_run" = yes ] || chown root:root "$program"
  sudo_rule >"$work/rule"
  if ! visudo -cqf "$work/rule" >/dev/null 2>&1; then
    leave "sudo does not take the rule for $program: commands of the manual recipe run as $user."
    return 0
  fi
  sudo_rule | write_file "$rule" 0440
  [ "$dry_run" = yes ] || as_user sudo -n -- "$program" check >/dev/null 2>&1 ||
    leave "sudo does not read $rule: commands of the manual recipe run as $user. Add this line at the end of /etc/sudoers: @includedir /etc/sudoers.d"
}

sudo_rule() {
  cat <<END
# Written by the set-up of Shipway: the platform runs commands of environments as users of their own.
Defaults!$program !requiretty, !use_pty, env_reset
$user ALL=(root:root) NOPASSWD: $program
END
}

command_program() {
  cat <<'SHIPWAY_COMMAND_PROGRAM'
@command_program@
SHIPWAY_COMMAND_PROGRAM
}
