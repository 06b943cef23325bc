// Method and path of every endpoint, by its name. Free of zod, so that the page can have it (24 kB gz saved).

export const routes = {
  register: 'POST /api/register',
  login: 'POST /api/login',
  logout: 'POST /api/logout',
  getMe: 'GET /api/me',

  uploadImage: 'POST /api/upload',
  listImages: 'GET /api/images',
  deleteImage: 'DELETE /api/images/{id}',
  extendImage: 'POST /api/images/{id}/extend-expiration',
  getOriginal: 'GET /uploads/{file_name}',
  getThumbnail: 'GET /api/thumbnail/{id}/{width}',
  getResized: 'GET /api/resize/{id}/{width}',
  getResizedToBox: 'GET /api/resize/{id}/{width}/{height}',
  getJpeg: 'GET /api/jpeg/{id}/{width}',
  getWebp: 'GET /api/webp/{id}/{quality}',
  getLimits: 'GET /api/limits',
} as const satisfies Record<string, `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`>

export type RouteName = keyof typeof routes
