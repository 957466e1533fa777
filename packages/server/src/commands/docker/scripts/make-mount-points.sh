# Makes mount points in a release that containers cannot write to. For each, a line with what is mounted there, empty for a
# folder, and one with the mount point: RELEASE
umask 022
while IFS= read -r source && IFS= read -r point; do
  # Behind a link of the commit, only the container can tell where the mount point is.
  [ ! -e "$point" ] && is_plain "$1" "$point" || continue
  if [ -z "$source" ] || [ -d "$source" ]; then
    mkdir -p -- "$point" || exit
  else
    mkdir -p -- "${point%/*}" && : >>"$point" || exit
  fi
done
