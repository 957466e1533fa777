// The platform's rules, in one module that is loaded only for `init` and `check`.
import { checkRepositoryFiles } from '@shipway/rules/check-repository-files'
import { likelyRecipe } from '@shipway/rules/service-file/likely-recipe'
import { readContents } from '@shipway/rules/service-file/read-contents'
import { suggestServiceFile } from '@shipway/rules/service-file/suggest-service-file'

export const rules = { checkRepositoryFiles, likelyRecipe, readContents, suggestServiceFile }
