# Takes files from a sender, and keeps them under their numbers in a folder that is there whole or not at all:
# FOLDER MOST_BYTES COUNT SENDER...
# What the sender says is not to be trusted: it may run in a container. Ends with 3 where there is too much, with 4 where something was
# not sent whole.
umask 077
folder=$1 most=$2 count=$3
shift 3
rm -rf -- "$folder.new" && mkdir -p -- "$folder.new" && cd -- "$folder.new" || exit 1

take_all() {
  total=0 number=0
  while [ "$number" -lt "$count" ]; do
    number=$((number + 1))
    read -r word value path || exit 4
    case $word in
    left) tell_left "$value" "$path" && continue || exit 4 ;;
    file) ;;
    *) exit 4 ;;
    esac
    # A leading zero would be octal for this shell and decimal for dd: more would be written than is counted.
    case $value in 0) ;; '' | 0* | *[!0-9]* | ????????????????*) exit 4 ;; esac
    total=$((total + value))
    [ "$total" -le "$most" ] || exit 3
    # Holes stay holes, and not a byte more is read than is meant.
    dd of="./$number" bs=1048576 count="$value" iflag=fullblock,count_bytes conv=sparse status=none || exit 1
    [ "$(stat -c %s "./$number")" = "$value" ] || exit 4
    read -r word && [ "$word" = sent ] || exit 4
  done
}

# tell_left WHY PATH
tell_left() {
  case $1 in
  link) echo "$2 is left out: it is a link, or lies behind one" ;;
  linked) echo "$2 is left out: the file has other names as well (hard links). Copy it instead" ;;
  special) echo "$2 is left out: it is no regular file" ;;
  gone) echo "$2 is left out: it is not there any more" ;;
  unreadable) echo "$2 is left out: it cannot be read" ;;
  *) return 1 ;;
  esac
}

"$@" </dev/null | take_all
code=$?
if [ "$code" -ne 0 ]; then
  cd / && rm -rf -- "$folder.new"
  exit "$code"
fi
sync .
rm -rf -- "$folder" && mv -T -- "$folder.new" "$folder"
