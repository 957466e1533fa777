#!/bin/sh
# Runs Chromium in a network namespace of its own: it aborts what it is loading whenever a network interface of the machine appears or goes.
# $SOCKS_SOCKET is the unix socket of the SOCKS proxy, $CHROMIUM the program.
exec unshare --net -- sh -ec '
ip link set lo up
setpriv --pdeathsig=KILL -- socat TCP-LISTEN:1080,bind=127.0.0.1,backlog=256,fork,reuseaddr UNIX-CONNECT:"$SOCKS_SOCKET" &
until socat -u OPEN:/dev/null TCP:127.0.0.1:1080 2>/dev/null; do sleep 0.05; done
exec "$CHROMIUM" "$@"' sh "$@"
