#!/bin/sh
# Chromium in a network of its own: in the machine's it gives up whatever it is loading each time that a container's network comes or goes.
# $SOCKS_SOCKET is the socket through which it reaches the machine, $CHROMIUM the program.
exec unshare --net -- sh -ec '
ip link set lo up
setpriv --pdeathsig=KILL -- socat TCP-LISTEN:1080,bind=127.0.0.1,backlog=256,fork,reuseaddr UNIX-CONNECT:"$SOCKS_SOCKET" &
until socat -u OPEN:/dev/null TCP:127.0.0.1:1080 2>/dev/null; do sleep 0.05; done
exec "$CHROMIUM" "$@"' sh "$@"
