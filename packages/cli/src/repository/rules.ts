// The platform's rules, in one module that is loaded only for `init` and `check`.
import { checkRepositoryFiles } from '@shipway/rules/check-repository-files'
import { readComposeDocument } from '@shipway/rules/compose/read-compose-document'
import { likelyRecipe } from '@shipway/rules/service-file/likely-recipe'
import { readContents } from '@shipway/rules/service-file/read-contents'
import { suggestServiceFile } from '@shipway/rules/service-file/suggest-service-file'

export const rules = { checkRepositoryFiles, likelyRecipe, readComposeDocument, readContents, suggestServiceFile }
