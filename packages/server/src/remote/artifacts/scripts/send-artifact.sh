# Prints a part of a kept file: FOLDER NUMBER BYTES STAMP FROM LENGTH. Exits with 3 if the file is missing, with 4 if it is not the one that
# was kept. A relative folder starts at the home. The script checks the file that it has opened, and checks it again after reading the part.
case $1 in /*) ;; *) cd -- "$HOME" || exit 3 ;; esac
cd -- "$1" 2>/dev/null || exit 3
here=$(pwd -P)
export LC_ALL=C

# is_kept BYTES STAMP, with the file as standard input
is_kept() {
  case $(stat -L -c '%F %h %s %i:%Z' /proc/self/fd/0) in
  "regular file 1 $1 $2" | "regular empty file 1 $1 $2") return 0 ;;
  esac
  return 1
}

send() {
  [ "$(readlink /proc/self/fd/0)" = "$here/$2" ] && is_kept "$3" "$4" || exit 4
  dd bs=1048576 iflag=fullblock,skip_bytes,count_bytes skip="$5" count="$6" status=none
  is_kept "$3" "$4" || exit 4
}

# Opening a named pipe would block until there is a writer.
[ -e "./$2" ] || [ -L "./$2" ] || exit 3
[ -f "./$2" ] && [ ! -L "./$2" ] || exit 4
{ send "$@" <"./$2"; } 2>/dev/null || exit 4
