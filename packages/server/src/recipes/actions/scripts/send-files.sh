# Sends files of the current folder: PATH... Of each a line `file BYTES`, the bytes, and a line `sent`; or a line that says why it is left out.
# What is checked is the file that was opened, not its name: the name can come to lead elsewhere at any moment.
root=$(pwd -P)
root=${root%/}

# send PATH, with the file as standard input
send() {
  is_open=yes path=$1
  [ "$(readlink /proc/self/fd/0)" = "$root/$path" ] || { echo "left link $path"; return; }
  set -f
  # Mode, links, owner, group, bytes.
  set -- $(ls -Lldn /proc/self/fd/0)
  set +f
  case $1 in
  -*) ;;
  *) echo "left special $path"; return ;;
  esac
  [ "$2" = 1 ] || { echo "left linked $path"; return; }
  echo "file $5"
  head -c "$5"
  echo sent
}

for path do
  is_open=
  if [ -L "./$path" ]; then
    echo "left link $path"
  elif [ ! -e "./$path" ]; then
    echo "left gone $path"
  elif [ ! -f "./$path" ]; then
    echo "left special $path"
  else
    { send "$path" <"./$path"; } 2>/dev/null
    [ -n "$is_open" ] || echo "left unreadable $path"
  fi
done
