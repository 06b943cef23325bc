// Writes the albums and links of an account beside its pictures; import-from files reads them (server/importers/exported-albums.ts).
import { writeFile } from 'node:fs/promises'
import { albumsOf, linksOf } from '../../domain/accounts/own-data-albums.ts'
import type { Account } from '../../domain/shared/caller.ts'
import type { Deps } from '../../domain/shared/deps.ts'

/**
 * Without members, whose accounts are elsewhere, and without the passwords of links. Writes nothing where there are none.
 * @param files of the pictures that were written, by the ids of the images
 */
export async function writeAlbums(
  deps: Pick<Deps, 'db'>,
  account: Pick<Account, 'id'>,
  { path, files }: { path: string; files: ReadonlyMap<string, string> },
): Promise<void> {
  const fileOf = (id: string) => files.get(id) ?? []
  const albums: object[] = []
  for await (const { images, members: _, cover_id: coverId, ...album } of albumsOf(deps, account)) {
    const cover = coverId === null ? null : (files.get(coverId) ?? null)
    albums.push({ ...album, cover, images: images.flatMap(({ id }) => fileOf(id)) })
  }
  const links: object[] = []
  for await (const { images, ...link } of linksOf(deps, account))
    links.push({ ...link, images: images.flatMap(fileOf) })
  if (albums.length + links.length === 0) return
  await writeFile(path, `${JSON.stringify({ albums, links }, null, 2)}\n`, { mode: 0o600 })
}
