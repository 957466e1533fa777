# Says what is at each path below a release: link (one is on the way), folder, empty, file or absent. The paths come on standard
# input, one a line: RELEASE
# A folder that holds nothing but placeholders is empty, since git knows no empty ones.
while IFS= read -r path; do
  if ! is_plain "$1" "$path"; then
    echo link
  elif [ -d "$path" ]; then
    first=$(find "$path" ! -type d ! -name .gitkeep ! -name .keep ! -name .gitignore 2>/dev/null | head -n 1)
    [ -n "$first" ] && echo folder || echo empty
  elif [ -e "$path" ]; then
    echo file
  else
    echo absent
  fi
done
