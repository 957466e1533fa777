# Lays the files of a commit out as a folder: REPOSITORY REF FOLDER
# The folder appears by a rename, when it is complete. Each run has a folder of its own; whoever comes second finds the name
# taken, which is as good. The index is kept outside, so that nothing of git is left in the release.
#
# Files are laid out as they were committed, since that is what was checked: a `.gitattributes` could have git rewrite them. The
# file that forbids it appears by a rename too: another check-out may be reading it.
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
