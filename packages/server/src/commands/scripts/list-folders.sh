# Lists what tasks have left below the platform's folder: FOLDER PATTERN...
# The patterns are our own; names with anything but letters, digits, dots and strokes are nobody's business here.
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
