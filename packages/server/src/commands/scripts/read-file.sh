# Prints the mode and size of a path in a commit, and the file if it is not too large: MOST COMMIT PATH GIT...
# Checks the size first, because git would load all of the file.
most=$1 commit=$2 path=$3
shift 3
listed=$("$@" --literal-pathspecs ls-tree --long --full-tree "$commit" -- "$path") || exit
[ -n "$listed" ] || exit 0
read -r mode type object size rest <<END
$listed
END
echo "$mode $size"
case $mode in 100*) [ "$size" -gt "$most" ] || exec "$@" cat-file blob "$object" ;; esac
