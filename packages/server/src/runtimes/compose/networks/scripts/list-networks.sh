# Prints each network of an environment as a line of JSON: INSTALLATION ENVIRONMENT FORMAT
exec docker network ls --no-trunc --filter "label=shipway.installation=$1" --filter "label=shipway.environment=$2" --format "$3"
