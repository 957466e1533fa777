// The tests of `npm run test:unit`: an answer within minutes on a machine that has nothing but Node.
import { mergeConfig } from 'vitest/config'
import { listUnitTests } from './tools/unit-tests.ts'
import whole from './vitest.config.ts'

const { include: _, globalSetup: __, ...rest } = whole.test ?? {}

export default mergeConfig(
  { test: rest },
  {
    test: {
      include: [...listUnitTests()],
      // Without PostgreSQL the tests of the store and the API run on the embedded database alone; `npm test` runs them on both.
      env: { CI: '' },
    },
  },
)
