// The paths of the page. Any other path is unknown: the server sends the page for it with 404.

export const paths = {
  home: '/',
  login: '/login',
  /** Where a login provider sends the browser back to. */
  loginReturn: '/login/return',
  register: '/register',
  confirmEmail: '/confirm-email',
  resetPassword: '/reset-password',
  albumInvite: '/invitation',
  dashboard: '/dashboard',
  albums: '/albums',
  tags: '/tags',
  notifications: '/notifications',
  apiKeys: '/api-keys',
  links: '/links',
  account: '/account',
  apiDocs: '/api-docs',
  apiDocsPage: '/pages/api-docs',
  admin: '/admin',
  tools: '/tools',
  about: '/about',
  contact: '/contact',
  report: '/report',
  privacy: '/privacy',
  terms: '/terms',
} as const

/** Stands for all unknown paths in tables of pages. */
export const unknownPath = '*'

/** The page of an album. Any id is a page: whether there is such an album, the page finds out. */
export const albumPath = (id: string) => `${paths.albums}/${id}`
export const albumOfPath = (path: string): string | undefined => /^\/albums\/([a-z\d_-]{1,64})\/?$/i.exec(path)?.[1]

/** As the page's router matches paths: without case and one slash at the end. */
export const pagePathOf = (path: string): string => path.toLowerCase().replace(/(.)\/$/, '$1')
/** Server and service worker send the page for these. The service worker caches /index.html. */
export const isPagePath = (path: string): boolean =>
  Object.values<string>(paths).concat('/index.html').includes(pagePathOf(path)) || albumOfPath(path) !== undefined

/** Rendered by the server: the page of an image, and the redirect to it from its custom link. */
export const sharePagePath = '/i/{id}'
export const slugPath = '/s/{slug}'
/** What a custom link consists of, in lower case. */
export const slugPattern = /^[a-z\d]+(?:-[a-z\d]+)*$/

/** Rendered by the server: the page that confirms a deletion. */
export const deletePagePath = '/d/{id}/{token}'
/** Rendered by the server: the page that switches mails off, and the target of RFC 8058. */
export const unsubscribePath = '/unsubscribe/{id}/{token}'

/** Rendered by the server: the page of a link, and of an album inside the one that it shares. */
export const linkPath = '/l/{slug}'
export const linkAlbumPath = '/l/{slug}/{albumId}'
export const linkPathOf = (slug: string, albumId?: string): string =>
  (albumId === undefined ? linkPath : linkAlbumPath)
    .replace('{slug}', encodeURIComponent(slug))
    .replace('{albumId}', encodeURIComponent(albumId ?? ''))
/** What chats show of a link with several images. */
export const linkCollagePath = '/l/{slug}/preview.jpg'
/** All images of a link as a ZIP file. */
export const linkArchivePath = '/l/{slug}/images.zip'
