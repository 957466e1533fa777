# Prints `own` if the environment has a user of its own, and `gone` if it had one when the release was made: AREA RELEASE
# Of a release that was handed over to a user, the platform keeps only the .service.yml.
if [ -d "$1" ]; then
  echo own
elif [ -d "${1%/*}" ] && [ -d "$2" ]; then
  others=$(find "$2" -mindepth 1 -maxdepth 1 ! -name .service.yml) || exit
  [ -n "$others" ] || echo gone
fi
