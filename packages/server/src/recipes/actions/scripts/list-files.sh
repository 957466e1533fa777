# Lists what lies in folders of the current one, without following any link: MOST [FOLDER DEPTH]...
# Each entry is its kind, a blank, its path and a NUL. Needs nothing but sh: it runs in containers of all kinds.
most=$1 count=0
shift
root=$(pwd -P)
root=${root%/}

# walk PREFIX DEPTH
walk() {
  for entry in "$1"* "$1".[!.]* "$1"..?*; do
    if [ -L "$entry" ]; then
      kind=link
    elif [ -d "$entry" ]; then
      kind=folder
    elif [ -f "$entry" ]; then
      kind=file
    elif [ -e "$entry" ]; then
      kind=special
    else
      continue
    fi
    count=$((count + 1))
    [ "$count" -le "$most" ] || { printf 'more .\0'; exit 0; }
    if [ "$kind" != folder ]; then
      printf '%s %s\0' "$kind" "$entry"
    elif [ "$2" -gt 1 ]; then
      walk "$entry/" "$(($2 - 1))"
    fi
  done
}

while [ "$#" -gt 1 ]; do
  if [ -z "$1" ]; then
    walk '' "$2"
  elif [ "$(cd -- "$1" 2>/dev/null && pwd -P)" = "$root/$1" ]; then
    walk "$1/" "$2"
  fi
  shift 2
done
exit 0
