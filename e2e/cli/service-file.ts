// The smallest `.service.yml` of the manual recipe: one step of the repository, which runs this.

export const serviceThatRuns = (run: string, name = 'Say hello'): string => `
services:
  web: {}
manual:
  deploy:
    - name: ${JSON.stringify(name)}
      run: |
        ${run}
`
