# Prints the upstreams that HAProxy was told last, a line each as balance.sh reads them: FOLDER
enter "$1"
echo 'shipway-edge upstreams'
[ ! -e upstreams ] || cat upstreams
