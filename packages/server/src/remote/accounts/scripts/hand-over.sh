# Gives a release to the user of its environment and creates the log files of its services: FOLDER PROGRAM AREA ENVIRONMENT TASK LIVE
# SERVICE...
# Prints `own`, or why the platform's user has to run the commands: `missing` if the server has no such users, or `earlier` if the
# platform's user started the live release LIVE, because then only that user can stop it.
folder=$1 program=$2 area=$3 environment=$4 task=$5 live=$6
shift 6
umask 077
if ! { [ -x "$program" ] && sudo -n -- "$program" check; } >/dev/null 2>&1; then
  # Once a server has such users, a failure here is an error and not `missing`: otherwise an environment could gain the platform's rights by
  # using up processes or disk space.
  if [ ! -d "${area%/*}" ]; then echo missing; exit 0; fi
  echo "$program cannot be called through sudo. See what keeps it from running, or run the set-up line of the server again" >&2
  exit 1
fi
# A release that was handed over has only its .service.yml here, even if a canceled removal has already deleted its user.
serving=$folder/environments/$environment/releases/$live
if [ ! -d "$area" ] && [ -n "$(find "$serving" -mindepth 1 -maxdepth 1 ! -name .service.yml 2>/dev/null)" ]; then echo earlier; exit 0; fi
# No other user of this machine may look into the platform's folder.
chmod 0700 -- "$folder" || exit
sudo -n -- "$program" prepare "$environment" || exit

release=$folder/environments/$environment/releases/$task
text="set -e
cd -- $area/releases
if [ -e $task ]; then cat >/dev/null; exit 0; fi
rm -rf -- $task.new
mkdir -- $task.new
tar -xpf - -C $task.new
mv -T -- $task.new $task
: end"
failed=$({ { printf %s "$text"; tar -C "$release" -cf - . || echo tar >&3; } |
  sudo -n -- "$program" run "$environment" "${#text}" >/dev/null || echo run >&3; } 3>&1)
[ -z "$failed" ] || exit 1
# The platform reads this one file later. A symbolic link of that name would lead it to files of others.
find "$release" -mindepth 1 -maxdepth 1 ! \( -name .service.yml -type f \) -exec rm -rf -- {} +

for service do
  : >>"$area/output/$task.$service.log" && chmod 0660 -- "$area/output/$task.$service.log" || exit
done
echo own
