# Receives a push, and reports when it begins and when it has ended: REPOSITORY. Its name is a word that only this push knows.
echo "$0-begun" >&2; git-receive-pack "$1"; code=$?; echo "$0-ended" >&2; exit "$code"
