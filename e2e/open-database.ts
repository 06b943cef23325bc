/** Opens a database with node:sqlite or its replacement package, as the server does. */
export async function openDatabase(path: string) {
  const { DatabaseSync } = await import('node:sqlite').catch(() => import('@photostructure/sqlite'))
  return new DatabaseSync(path)
}
