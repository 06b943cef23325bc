/** What a member of an album may do. Each includes the ones before it. manage: order and remove images, and change its texts. */
export const albumRoles = ['view', 'add', 'manage'] as const
export type AlbumRole = (typeof albumRoles)[number]
