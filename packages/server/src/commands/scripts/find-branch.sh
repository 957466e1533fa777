# Fetches into the history of a repository and prints a branch that contains a commit: HISTORY SHA GIT FETCH...
# GIT is the start of a git command as one word that needs no quotes; FETCH is a command.
set -eu
history=$1 sha=$2 git=$3
shift 3
[ -d "$history/objects/pack" ] || git init --quiet --bare --template= --initial-branch=none -- "$history"
"$@"
# git would fetch a missing commit from the host, so no protocol is allowed: a missing commit is in no branch.
export GIT_ALLOW_PROTOCOL=none
$git --git-dir="$history" for-each-ref --count=1 --contains="$sha" --format='%(refname)' -- refs/heads 2>/dev/null || true
