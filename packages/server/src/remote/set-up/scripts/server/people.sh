
# People of the organization may be let in as the same user: the platform certifies their keys for some minutes, with the organization's own
# authority and for separate principals. The principals file lists what sshd allows them.
authorities() {
  printf '%s\n' "$authority"
  [ -z "$people" ] || printf '%s\n' "$people"
}

# Each principal of a server, followed by those of its people.
people_principals() {
  while read -r name; do
    printf '%s\n' "$name"
    if [ -n "$people" ]; then printf 'restrict %s-logs\nrestrict,pty %s-shell\n' "$name" "$name"; fi
  done
}

# The revocation list must exist before sshd uses it: without it, sshd would refuse everybody as this user. So it is where sshd can read it
# whatever happens to the home, in a folder that the user owns: the platform writes it through a link in the home.
prepare_people() {
  access=/etc/ssh/shipway-$installation.access
  # For this user only: another user chosen later has keys of its own.
  break_glass_file=/etc/ssh/shipway-$installation-$user.break-glass
  [ -n "$people" ] && [ "$dry_run" = no ] || return 0
  note_other_list "$(sshd_setting revokedkeys)"
  mkdir -p "$access"
  chmod 0755 "$access"
  chown "$user" "$access"
  as_user sh -c "$begin_access" sh "$access" "$home/.shipway/$installation" ||
    refuse 18 "The folder of the platform could not be made in $home. See that $user may write there."
  printf '%s\n' "$authority" | as_user sh -c "$mend_list" sh "$access"
}

# FOLDER, and a key on standard input. Half a list would lock out everybody; an empty one revokes nothing.
# shellcheck disable=SC2016
mend_list='umask 077
cd -- "$1"
cat >asked
ssh-keygen -Q -f revoked asked >/dev/null 2>&1 || : >revoked
rm -f asked'

# FOLDER HOME: the folder of the platform in the home gets a link to the other one. Whatever else was put in these places goes.
# shellcheck disable=SC2016
begin_access='set -e
umask 077
mkdir -p -- "$2"
if [ -L "$1/revoked" ] || [ ! -f "$1/revoked" ]; then
  rm -rf -- "$1/revoked"
  : >"$1/revoked"
fi
[ -L "$2/access" ] || rm -rf -- "$2/access"
ln -sfn -- "$1" "$2/access"'

# sshd uses only one list of revoked keys.
note_other_list() {
  case $1 in
    '' | none | "$access/revoked") ;;
    *) leave "For the user $user sshd goes by $access/revoked from now on, and no more by $1. Make sure that no user whom that list excludes has a key in $break_glass_file." ;;
  esac
}

people_settings() {
  [ -n "$people" ] || return 0
  printf '  RevokedKeys %s\n  AuthorizedKeysFile %s\n' "$access/revoked" "$break_glass_file"
}

# From here on, a person with access cannot let in others through a file in the home. Keys that could sign in as this user before still can,
# for the case that the platform is down.
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

# PATTERN...: the content of these files of the user, read as that user.
keys_in() {
  for file in "$@"; do
    file=$(printf %s "$file" | sed -e "s|%h|$home|g" -e "s|%u|$user|g")
    case $file in
      none) continue ;;
      /*) ;;
      *) file=$home/$file ;;
    esac
    as_user sh -c '[ ! -f "$1" ] || cat -- "$1"' sh "$file" 2>/dev/null || :
  done
}

# The platform reads this to find out whether people can be let in. Written last: sshd has accepted the settings by then.
tell_trusted() {
  [ "$dry_run" = no ] || return 0
  if [ -z "$people" ]; then
    as_user rm -f -- "$access/trusted"
    return
  fi
  { authorities && cat "$principals_file"; } | as_user sh -c 'umask 077 && cat >"$1.new" && mv -f -- "$1.new" "$1"' sh "$access/trusted" ||
    refuse 18 "$access/trusted could not be written. See that $user may write there."
}
