// Method and path of the endpoints for clients of other hosts. Without zod, so that the page can import it.

export const compatRoutes = {
  cheveretoUpload: 'POST /api/1/upload',
  imgbbUpload: 'POST /1/upload',

  imgurUpload: 'POST /3/image',
  imgurGetImage: 'GET /3/image/{hash}',
  imgurDeleteImage: 'DELETE /3/image/{hash}',
  imgurGetCredits: 'GET /3/credits',
  imgurCreateAlbum: 'POST /3/album',
  imgurGetAlbum: 'GET /3/album/{hash}',
  imgurListAlbumImages: 'GET /3/album/{hash}/images',
  imgurUpdateAlbum: 'PUT /3/album/{hash}',
  imgurSetAlbum: 'POST /3/album/{hash}',
  imgurAddToAlbum: 'POST /3/album/{hash}/add',
  imgurRemoveFromAlbum: 'DELETE /3/album/{hash}/remove_images',
  imgurDeleteAlbum: 'DELETE /3/album/{hash}',
  imgurListAlbums: 'GET /3/account/{username}/albums',
  imgurListAlbumIds: 'GET /3/account/{username}/albums/ids',
  imgurCountAlbums: 'GET /3/account/{username}/albums/count',

  lskyCreateToken: 'POST /api/v1/tokens',
  lskyUpload: 'POST /api/v1/upload',
  lskyListImages: 'GET /api/v1/images',
  lskyDeleteImage: 'DELETE /api/v1/images/{key}',
  lskyGetProfile: 'GET /api/v1/profile',
  lskyListStrategies: 'GET /api/v1/strategies',
  lskyListAlbums: 'GET /api/v1/albums',
  lskyDeleteAlbum: 'DELETE /api/v1/albums/{id}',

  picgoUpload: 'POST /upload',
  picgoDelete: 'POST /delete',
  picgoHeartbeat: 'POST /heartbeat',

  slinkUpload: 'POST /api/external/upload',

  ziplineListFolders: 'GET /api/user/folders',
  ziplineCreateFolder: 'POST /api/user/folders',
  ziplineGetFolder: 'GET /api/user/folders/{id}',
  ziplineUpdateFolder: 'PATCH /api/user/folders/{id}',
  ziplineAddToFolder: 'PUT /api/user/folders/{id}',
  ziplineDeleteFolder: 'DELETE /api/user/folders/{id}',
} as const

export type CompatName = keyof typeof compatRoutes

/** Further paths of the same endpoint. */
export const compatAliases: Partial<Record<CompatName, readonly string[]>> = {
  imgurUpload: ['/3/image.xml', '/3/upload', '/3/upload.xml'],
  // The library imgur sends the slash where it has no page.
  imgurListAlbums: ['/3/account/{username}/albums/', '/3/account/{username}/albums/{page}'],
  imgurListAlbumIds: ['/3/account/{username}/albums/ids/', '/3/account/{username}/albums/ids/{page}'],
}

/** Method and path of all of them. */
export const compatAliasRoutes = (name: CompatName): string[] => {
  const [method = ''] = compatRoutes[name].split(' ')
  return (compatAliases[name] ?? []).map((path) => `${method} ${path}`)
}
