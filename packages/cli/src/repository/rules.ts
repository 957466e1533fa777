// What the platform's own rules are asked for. Loaded when a repository is judged, since other commands do without.
import { judgeRepository } from '@shipway/rules/judge-repository'
import { likelyRecipe } from '@shipway/rules/service-file/likely-recipe'
import { readContents } from '@shipway/rules/service-file/read-contents'
import { suggestServiceFile } from '@shipway/rules/service-file/suggest-service-file'

export const rules = { judgeRepository, likelyRecipe, readContents, suggestServiceFile }
