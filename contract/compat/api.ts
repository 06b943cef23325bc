// The endpoints for clients of other hosts, by their names in routes.ts (docs/decisions/0037).
import type { Endpoint } from '../endpoints/endpoint.ts'
import { chevereto } from './chevereto.ts'
import { imgurAlbums } from './imgur-albums.ts'
import { imgur } from './imgur.ts'
import { lsky } from './lsky.ts'
import { picgo } from './picgo.ts'
import type { CompatName } from './routes.ts'
import { slink } from './slink.ts'
import { ziplineFolders } from './zipline-folders.ts'

export const compatApi = {
  ...chevereto,
  ...imgur,
  ...imgurAlbums,
  ...lsky,
  ...picgo,
  ...slink,
  ...ziplineFolders,
} satisfies Record<CompatName, Endpoint>
