# Ends commands whose terminal a platform process carried that is gone, and removes their containers: INSTALLATION PROCESS
names=$(docker service ls --format '{{.Name}}' --filter "label=shipway.installation=$1" --filter "label=shipway.process=$2") || exit
for name in $names; do end_hold "$name" 3; done
exit 0
