
# Beside the platform, people of the organization may be let in as the same user: the platform certifies their keys for some minutes,
# with the organization's own authority and for principals of their own. What sshd allows those stands beside them.
authorities() {
  printf '%s\n' "$authority"
  [ -z "$people" ] || printf '%s\n' "$people"
}

# Each principal of a server, and below it those of its people.
people_principals() {
  while read -r name; do
    printf '%s\n' "$name"
    if [ -n "$people" ]; then printf 'restrict %s-logs\nrestrict,pty %s-shell\n' "$name" "$name"; fi
  done
}

# The list of what is revoked must be there before sshd is told of it: without it nobody would be let in as this user. It is the
# user's own, since the platform writes it.
prepare_people() {
  access=$home/.shipway/$installation/access
  # Of one user: another one who is chosen later has keys of its own.
  break_glass_file=/etc/ssh/shipway-$installation-$user.break-glass
  [ -n "$people" ] && [ "$dry_run" = no ] || return 0
  as_user sh -c "$begin_access" sh "$access" ||
    refuse 18 "The folder $access could not be made. See that $user may write there."
  # One that sshd cannot read would lock out everybody; an empty one revokes nothing.
  printf '%s\n' "$authority" >"$work/authority.pub"
  ssh-keygen -Q -f "$access/revoked" "$work/authority.pub" >/dev/null 2>&1 || as_user sh -c ': >"$1/revoked"' sh "$access"
  [ -f "$access/revoked" ] && [ -r "$access/revoked" ] ||
    refuse 18 "root cannot read $access/revoked, so sshd could not either. See where the home of $user lies."
}

# FOLDER
# shellcheck disable=SC2016
begin_access='set -e
umask 077
mkdir -p -- "$1"
[ -f "$1/revoked" ] || : >"$1/revoked"'

people_settings() {
  [ -n "$people" ] || return 0
  printf '  RevokedKeys %s\n  AuthorizedKeysFile %s\n' "$access/revoked" "$break_glass_file"
}

# From here on nobody who was let in can let in others by a file in the home. Whoever could sign in as this user before still can, for
# the day on which the platform cannot.
write_break_glass() {
  [ -n "$people" ] || return 0
  break_glass_keys | write_file "$break_glass_file" 0644
  [ "$dry_run" = no ] || return 0
  if grep -q '^[^#]' "$break_glass_file"; then
    say "Keys that sign in as $user without the platform stand in $break_glass_file."
  else
    say "No key signs in as $user without the platform. Name one with --break-glass if no other account leads here."
  fi
}

break_glass_keys() {
  if [ -n "$break_glass" ]; then
    printf '%s\n' "$break_glass"
  elif [ -e "$break_glass_file" ]; then
    cat "$break_glass_file"
  elif [ "$dry_run" = no ]; then
    # One word for each file.
    # shellcheck disable=SC2046
    keys_in $(sshd_setting authorizedkeysfile)
  fi
}

# PATTERN...: what stands in these files of the user, read as that user.
keys_in() {
  for file in "$@"; do
    file=$(printf %s "$file" | sed -e "s|%h|$home|g" -e "s|%u|$user|g")
    case $file in
      none) continue ;;
      /*) ;;
      *) file=$home/$file ;;
    esac
    as_user cat -- "$file" 2>/dev/null || :
  done
}

# What the platform reads to find out whether people can be let in here. It comes last: by then sshd has taken the settings.
tell_trusted() {
  [ "$dry_run" = no ] || return 0
  if [ -z "$people" ]; then
    as_user rm -f -- "$access/trusted"
    return
  fi
  { authorities && cat "$principals_file"; } | as_user sh -c 'umask 077 && cat >"$1.new" && mv -f -- "$1.new" "$1"' sh "$access/trusted" ||
    refuse 18 "$access/trusted could not be written. See that $user may write there."
}
