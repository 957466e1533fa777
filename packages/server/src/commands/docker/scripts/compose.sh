# Runs docker compose in an environment of its own: WORD...
# Remote compose files stay off; at most so many containers are started at once.
exec env -i PATH="$PATH" HOME="$HOME" DOCKER_HOST="${DOCKER_HOST-}" DOCKER_CONTEXT="${DOCKER_CONTEXT-}" \
  DOCKER_CONFIG="${DOCKER_CONFIG-}" XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR-}" LANG=C.UTF-8 DOCKER_CLI_HINTS=false \
  COMPOSE_EXPERIMENTAL_GIT_REMOTE=0 COMPOSE_EXPERIMENTAL_OCI_REMOTE=0 COMPOSE_PARALLEL_LIMIT=3 docker compose "$@"
