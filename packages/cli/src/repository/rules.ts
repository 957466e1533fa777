// The platform's rules, in one module that is loaded only for `init` and `check`.
import { judgeRepository } from '@shipway/rules/judge-repository'
import { likelyRecipe } from '@shipway/rules/service-file/likely-recipe'
import { readContents } from '@shipway/rules/service-file/read-contents'
import { suggestServiceFile } from '@shipway/rules/service-file/suggest-service-file'

export const rules = { judgeRepository, likelyRecipe, readContents, suggestServiceFile }
