// All endpoints by their names in contract/plain/routes.ts. A name without a declaration does not compile.
import { accounts } from './accounts.ts'
import { albumMembers, albums } from './albums.ts'
import { apiKeys } from './api-keys.ts'
import { audit } from './audit.ts'
import { blocklists } from './blocklists.ts'
import { contact } from './contact.ts'
import { backups } from './backups.ts'
import { databaseView } from './database-view.ts'
import { emailLinks } from './email-links.ts'
import type { Endpoint, InputOf } from './endpoint.ts'
import { factors } from './factors.ts'
import { guestAlbums } from './guest-albums.ts'
import { imageDelivery } from './image-delivery.ts'
import { images } from './images.ts'
import { ownAccount } from './own-account.ts'
import { invites } from './invites.ts'
import { linkEndpoints } from './links.ts'
import { moderation } from './moderation.ts'
import { operations } from './operations.ts'
import { reports } from './reports.ts'
import { resumableUploads } from './resumable-uploads.ts'
import { sessions } from './sessions.ts'
import { tags } from './tags.ts'
import { trash } from './trash.ts'
import { webhooks } from './webhooks.ts'
import type { RouteName } from '../plain/routes.ts'

export const api = {
  ...accounts,
  ...emailLinks,
  ...invites,
  ...factors,
  ...apiKeys,
  ...audit,
  ...operations,
  ...backups,
  ...databaseView,
  ...images,
  ...imageDelivery,
  ...guestAlbums,
  ...trash,
  ...tags,
  ...albums,
  ...albumMembers,
  ...linkEndpoints,
  ...resumableUploads,
  ...moderation,
  ...reports,
  ...blocklists,
  ...contact,
  ...webhooks,
  ...sessions,
  ...ownAccount,
} satisfies Record<RouteName, Endpoint>
export type Api = typeof api
/** The validated input of an endpoint's handler. */
export type Input<N extends RouteName> = InputOf<Api[N]>
