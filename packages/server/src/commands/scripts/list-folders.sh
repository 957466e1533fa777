# Lists files of tasks below the platform's folder: FOLDER PATTERN... The patterns are constants. Names with other characters than letters,
# digits, dots and slashes are skipped: the platform never creates them.
cd -- "$1" 2>/dev/null || exit 0
shift
for pattern do
  for place in $pattern; do
    [ -e "$place" ] || continue
    echo "$place"
    for entry in "$place"/releases/* "$place"/tasks/*; do
      [ -e "$entry" ] || continue
      echo "$entry"
    done
    for step in "$place"/tasks/*/*; do
      [ -d "$step" ] && [ ! -e "$step/exit" ] && echo "$step"
    done
  done
done
exit 0
