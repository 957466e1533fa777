// `shipway certificates remove`: deletes the certificate that was supplied for a project.
import { command, PROJECT_FLAGS, YES_FLAG } from '../../command.ts'
import { EXIT } from '../../exit-code.ts'
import { report } from '../../report.ts'
import { findProject } from '../../target/find-project.ts'
import { confirm } from '../../terminal/confirm.ts'
import { plainText } from '../../terminal/sanitize.ts'

export const certificatesRemove = command({
  flags: { ...PROJECT_FLAGS, ...YES_FLAG },
  examples: [['shipway certificates remove -p bookshop', 'Names it, and asks first']],
  run: async (ctx, { flags }) => {
    const project = await findProject(ctx, flags)
    const client = await ctx.client()
    const params = { id: project.id }
    const { names } = await client.getSuppliedCertificate({ params })
    const what = `the certificate for ${names.map(plainText).join(', ')} of ${plainText(project.name)}`
    await confirm(ctx, flags, {
      consequence: `${what} would be deleted with its key`,
      question: `Delete ${what} with its key?`,
      refusal: 'Nothing was deleted',
    })
    await client.deleteSuppliedCertificate({ params })
    report(ctx, { project_id: project.id, deleted: true }, () => [`Deleted ${what}`])
    return EXIT.done
  },
})
