# Checks out the files of a commit into a folder: REPOSITORY REF FOLDER
# A rename makes the folder appear when it is complete. Each run has a folder of its own; if another run was faster, its result is kept. The
# index is outside of the folder, so that the release contains nothing of git. Files are checked out exactly as committed, because that is
# what was checked: a `.gitattributes` could make git rewrite them. The file that forbids this is renamed into place too, because another
# check-out may be reading it.
if [ -e "$3" ]; then exit 0; fi
own="$3.unfinished.$$" attributes="$1/info/attributes"
trap 'rm -rf -- "$own" "$own.index" "$attributes.$$"' EXIT
if [ -e "$own" ] || [ -e "$own.index" ]; then rm -rf -- "$own" "$own.index"; fi
mkdir -p -- "$own"
rule='* -text -ident -filter !working-tree-encoding'
if ! { read -r found && ! read -r more; } 2>/dev/null <"$attributes" || [ "$found" != "$rule" ]; then
  (cd -- "$1" && mkdir -p info)
  echo "$rule" >"$attributes.$$"
  mv -T -- "$attributes.$$" "$attributes"
fi
export GIT_INDEX_FILE="$own.index"
if git -c core.hooksPath=/dev/null --git-dir="$1" --work-tree="$own" read-tree --reset -u "$2"; then
  mv -T -- "$own" "$3" 2>/dev/null || [ -e "$3" ]
else
  [ -e "$3" ]
fi
rm -rf -- "$3".unfinished.* 2>/dev/null || :
trap - EXIT
