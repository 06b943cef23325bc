import type { Link } from '../../../contract/endpoints/links.ts'
import { shortDate } from '../../format/dates.ts'
import { gallery } from '../../texts/gallery-messages.ts'
import { linkList as texts } from '../../texts/links/link-messages.ts'

/** How often it was opened, and the last time. */
export const linkUse = ({ views, last_viewed_at: last }: Link): string =>
  last === null ? texts.notViewed : `${gallery.views(views)} · ${texts.lastView(shortDate(last))}`
