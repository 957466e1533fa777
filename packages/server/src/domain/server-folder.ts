// The platform's folder on a server.
type FolderOwner = { readonly config: { readonly dataFolder: string }; readonly installationId: string }
type Server = { readonly connection: 'ssh' | 'local' }

export function serverFolderOf(ctx: FolderOwner, server: Server, home: string): string {
  const folder = folderBelowHome(ctx, server)
  return folder.startsWith('/') ? folder : `${home}/${folder}`
}

/** On this machine everything lies in the data folder; elsewhere it is below the home of the platform's user. */
export function folderBelowHome({ config, installationId }: FolderOwner, { connection }: Server): string {
  return `${connection === 'local' ? `${config.dataFolder}/server` : '.shipway'}/${installationId}`
}
