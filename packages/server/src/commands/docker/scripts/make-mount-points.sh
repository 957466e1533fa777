# Makes the places for mounts in a release that containers cannot write to. For each, a line with what is mounted there, empty for a
# folder, and one with the place: RELEASE
umask 022
while IFS= read -r source && IFS= read -r place; do
  # Behind a link of the commit the place is for the container to find.
  [ ! -e "$place" ] && is_plain "$1" "$place" || continue
  if [ -z "$source" ] || [ -d "$source" ]; then
    mkdir -p -- "$place" || exit
  else
    mkdir -p -- "${place%/*}" && : >>"$place" || exit
  fi
done
