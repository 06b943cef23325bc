// Method and path of every endpoint. Without zod, so that the page can import it (saves 24 kB gzip).

export const routes = {
  register: 'POST /api/register',
  login: 'POST /api/login',
  logout: 'POST /api/logout',
  logoutEverywhere: 'POST /api/logout-everywhere',
  getMe: 'GET /api/me',
  updateMe: 'PUT /api/me',

  listUsers: 'GET /api/users',
  createUser: 'POST /api/users',
  getUserStats: 'GET /api/users/stats',
  updateUser: 'PUT /api/users/{userId}',
  deleteUser: 'DELETE /api/users/{userId}',
  promoteUser: 'POST /api/admin/promote',

  listAuditEntries: 'GET /api/admin/audit',
  exportAuditEntries: 'GET /api/admin/audit/export',

  createApiKey: 'POST /api/api-keys',
  listApiKeys: 'GET /api/api-keys',
  deleteApiKey: 'DELETE /api/api-keys/{id}',

  getDatabaseStats: 'GET /api/database/stats',
  startBackup: 'POST /api/database/backup',
  listBackups: 'GET /api/database/backups',
  downloadBackup: 'GET /api/database/backups/{id}/download',
  createBackupLink: 'POST /api/database/backups/{id}/link',
  downloadBackupByLink: 'POST /api/database/archive',
  deleteBackup: 'DELETE /api/database/backups/{id}',
  previewCleanup: 'GET /api/database/cleanup',
  cleanUp: 'POST /api/database/cleanup',

  unlockDatabase: 'POST /db/unlock',
  lockDatabase: 'POST /db/lock',
  listCollections: 'GET /db/collections',
  deleteCollection: 'DELETE /db/collections/{name}',
  listDocuments: 'GET /db/collections/{name}',
  createDocuments: 'POST /db/collections/{name}/documents',
  getDocument: 'GET /db/collections/{name}/documents/{id}',
  updateDocument: 'PATCH /db/collections/{name}/documents/{id}',
  deleteDocuments: 'DELETE /db/collections/{name}/documents',

  uploadImage: 'POST /api/upload',
  listImages: 'GET /api/images',
  outlineImages: 'GET /api/images/outline',
  claimImages: 'POST /api/images/claim',
  listExpiringImages: 'GET /api/expiring-images',
  getImage: 'GET /api/images/{id}',
  deleteImage: 'DELETE /api/images/{id}',
  restoreImage: 'POST /api/images/{id}/restore',
  extendImage: 'POST /api/images/{id}/extend-expiration',
  analyzeImage: 'GET /api/analyze/{id}',
  getOriginal: 'GET /uploads/{file_name}',
  getThumbnail: 'GET /api/thumbnail/{id}/{width}',
  getResized: 'GET /api/resize/{id}/{width}',
  getResizedToBox: 'GET /api/resize/{id}/{width}/{height}',
  getJpeg: 'GET /api/jpeg/{id}/{width}',
  getWebp: 'GET /api/webp/{id}/{quality}',
  getLimits: 'GET /api/limits',

  listAllImages: 'GET /api/admin/images',
  moderateImages: 'POST /api/admin/images/moderate',
  previewImage: 'GET /api/admin/images/{id}/preview',

  sendReport: 'POST /api/reports',
  listReports: 'GET /api/admin/reports',
  decideReport: 'POST /api/admin/reports/{reportId}/decide',

  sendEmail: 'POST /api/v1.0/email/send',
  sendEmailForm: 'POST /api/v1.0/email/send-form',
} as const satisfies Record<string, `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`>

export type RouteName = keyof typeof routes
