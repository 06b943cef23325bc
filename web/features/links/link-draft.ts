// What was chosen for a link, as its fields have it, and what of it is sent.
import type { Link } from '../../../contract/endpoints/links.ts'
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { slugPattern } from '../../../contract/plain/page-paths.ts'
import { endOfLocalDay, localDay } from '../../format/dates.ts'
import { linkOptions as texts } from '../../texts/links/link-messages.ts'
import type { LinkChange } from './links.ts'

export type EndChoice = keyof typeof texts.endChoices

export interface LinkDraft {
  password: string
  /** It has one that stays while none is entered. */
  keepsPassword: boolean
  ends: EndChoice
  /** YYYY-MM-DD, for the choice of a date. */
  date: string
  /** Empty: any number. */
  views: string
  canDownload: boolean
  watermark: string
  /** null: it is not an album with private images. */
  showsPrivate: boolean | null
  name: string
  note: string
  slug: string
  /** Pixels; empty: any. */
  maxSize: string
}

export const newDraft = (hasPrivate: boolean): LinkDraft => ({
  password: '',
  keepsPassword: false,
  ends: 'never',
  date: '',
  views: '',
  canDownload: true,
  watermark: '',
  showsPrivate: hasPrivate ? true : null,
  name: '',
  note: '',
  slug: '',
  maxSize: '',
})

export const draftOf = (link: Link): LinkDraft => ({
  password: '',
  keepsPassword: link.has_password,
  ends: link.ends_at === null ? 'never' : 'date',
  date: link.ends_at === null ? '' : localDay(new Date(link.ends_at)),
  views: link.views_left === null ? '' : String(link.views_left),
  canDownload: link.can_download,
  watermark: link.watermark,
  showsPrivate: link.album_id === null ? null : link.shows_private,
  name: link.name,
  note: link.note,
  slug: link.slug,
  maxSize: link.max_size === null ? '' : String(link.max_size),
})

/** Whether the link that there may be already is as good as a new one. */
export const isDefault = (draft: LinkDraft): boolean => {
  const { showsPrivate: _, ...fields } = draft
  const { showsPrivate: __, ...defaults } = newDraft(false)
  return JSON.stringify(fields) === JSON.stringify(defaults)
}

/** Whether public images give visitors more than the link does. */
export const limitsFiles = ({ canDownload, watermark, maxSize }: LinkDraft): boolean =>
  !canDownload || watermark.trim() !== '' || maxSize !== ''

export type DraftProblems = Partial<Record<'date' | 'views' | 'slug', string>>

export function problemsOf(draft: LinkDraft, now: number): DraftProblems {
  const { minSlugLength, maxSlugLength } = limits.share
  const problems: DraftProblems = {}
  const end = endOf(draft, now)
  if (draft.ends === 'date' && (end === null || end <= now)) problems.date = texts.endMissing
  const views = Number(draft.views)
  const isCount = /^\d{1,7}$/.test(draft.views) && views >= 1 && views <= limits.maxViews
  if (draft.views !== '' && !isCount) problems.views = texts.viewsProblem(limits.maxViews.toLocaleString('en-US'))
  const slug = draft.slug.trim().toLowerCase()
  const isSlug = slugPattern.test(slug) && slug.length >= minSlugLength && slug.length <= maxSlugLength
  if (slug !== '' && !isSlug) problems.slug = texts.slugProblem(minSlugLength, maxSlugLength)
  return problems
}

/** The body of a new link. */
export const createdBy = (draft: LinkDraft, now: number): LinkChange => changedBy(newDraft(false), draft, now)

/** The body of a change: only what was changed, since an unchanged number of views would begin anew. */
export function changedBy(before: LinkDraft, draft: LinkDraft, now: number): LinkChange {
  const had: Record<string, unknown> = valuesOf(before, now)
  const changed = Object.entries(valuesOf(draft, now)).filter(([field, value]) => value !== had[field])
  return Object.fromEntries(changed.filter(([, value]) => value !== undefined))
}

/** As they are sent; undefined: not at all. */
function valuesOf(draft: LinkDraft, now: number) {
  const end = endOf(draft, now)
  return {
    password: draft.password || (draft.keepsPassword ? undefined : null),
    ends_at: end === null ? null : new Date(end).toISOString(),
    max_views: draft.views === '' ? null : Number(draft.views),
    can_download: draft.canDownload,
    watermark: draft.watermark.trim(),
    shows_private: draft.showsPrivate ?? undefined,
    name: draft.name.trim(),
    note: draft.note.trim(),
    slug: draft.slug.trim().toLowerCase() || undefined,
    max_size: draft.maxSize === '' ? null : Number(draft.maxSize),
  }
}

/** UTC milliseconds: of a day its last one, in the time zone of the browser. null: it does not end. */
export function endOf({ ends, date }: LinkDraft, now: number): number | null {
  if (ends === 'never') return null
  if (ends !== 'date') return now + Number(ends) * dayMs
  const end = endOfLocalDay(date)
  return Number.isNaN(end) ? null : end
}
