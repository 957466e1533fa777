// The smallest `.service.yml` of the manual recipe: one step of the repository, which runs this.

export const serviceThatRuns = (run: string): string => `
services:
  web: {}
manual:
  deploy:
    - name: Say hello
      run: |
        ${run}
`
