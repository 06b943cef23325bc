import { localDay } from '../../format/dates.ts'
import { describe, expect, it } from 'vitest'
import type { Link } from '../../../contract/endpoints/links.ts'
import { dayMs } from '../../../contract/plain/limits.ts'
import { changedBy, createdBy, draftOf, endOf, isDefault, limitsFiles, newDraft, problemsOf } from './link-draft.ts'

const now = new Date(2026, 10, 27, 12).getTime()
const draft = newDraft(false)

const link: Link = {
  id: 'a',
  url: 'https://example.com/l/abc',
  slug: 'abc',
  cover: null,
  album_id: 'album',
  title: 'Italy',
  images: 3,
  named_images: 0,
  name: 'Family',
  note: '',
  shows_private: true,
  has_password: true,
  starts_at: null,
  ends_at: new Date(2026, 11, 24, 23, 59, 59, 999).toISOString(),
  views_left: 5,
  can_download: false,
  max_size: 800,
  watermark: 'me',
  views: 0,
  last_viewed_at: null,
  state: 'open',
  created_at: new Date(now).toISOString(),
}

describe('a new link', () => {
  it('sends only what was chosen', () => {
    expect(createdBy(draft, now)).toEqual({})
    expect(createdBy(newDraft(true), now)).toEqual({ shows_private: true })
    const chosen = { ...draft, password: ' a b ', ends: '7' as const, views: '10', watermark: ' me ', slug: ' Club ' }
    expect(createdBy({ ...chosen, canDownload: false, maxSize: '800', name: 'n', note: 'm' }, now)).toEqual({
      password: ' a b ',
      ends_at: new Date(now + 7 * dayMs).toISOString(),
      max_views: 10,
      can_download: false,
      watermark: 'me',
      name: 'n',
      note: 'm',
      slug: 'club',
      max_size: 800,
    })
  })

  it('is a default one whether or not it shows private images', () => {
    expect([draft, newDraft(true), { ...draft, name: 'n' }, { ...draft, canDownload: false }].map(isDefault)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('limits the files by download, watermark or size', () => {
    const limiting = [
      { canDownload: false },
      { watermark: 'x' },
      { maxSize: '800' },
      { watermark: ' ' },
      { views: '1' },
    ]
    expect(limiting.map((one) => limitsFiles({ ...draft, ...one }))).toEqual([true, true, true, false, false])
  })
})

describe('its end', () => {
  it('is the end of the chosen day, here', () => {
    const end = endOf({ ...draft, ends: 'date', date: '2026-11-27' }, now) ?? 0
    expect([localDay(new Date(end)), localDay(new Date(end + 1))]).toEqual(['2026-11-27', '2026-11-28'])
    expect(endOf({ ...draft, ends: 'never', date: '2026-11-27' }, now)).toBeNull()
    expect(endOf({ ...draft, ends: 'date', date: '' }, now)).toBeNull()
  })
})

describe('problems', () => {
  it.each([
    [{ views: '0' }, ['views']],
    [{ views: '1.5' }, ['views']],
    [{ views: '1000001' }, ['views']],
    [{ views: '1000000' }, []],
    [{ ends: 'date' as const }, ['date']],
    [{ ends: 'date' as const, date: '2026-11-26' }, ['date']],
    [{ ends: 'date' as const, date: '2026-11-27' }, []],
    [{ slug: 'a_b' }, ['slug']],
    [{ slug: 'ab' }, ['slug']],
    [{ slug: 'A-club' }, []],
  ])('of %j are named at %j', (given, fields) => {
    expect(Object.keys(problemsOf({ ...draft, ...given }, now))).toEqual(fields)
  })
})

describe('a change', () => {
  const before = draftOf(link)

  it('sends nothing where nothing was changed', () => {
    expect(changedBy(before, before, now)).toEqual({})
    expect(changedBy(before, { ...before, slug: '' }, now)).toEqual({})
  })

  it('sends null for what is taken away', () => {
    const cleared = { ...before, keepsPassword: false, ends: 'never' as const, views: '', maxSize: '', watermark: '' }
    expect(changedBy(before, { ...cleared, canDownload: true, showsPrivate: false }, now)).toEqual({
      password: null,
      ends_at: null,
      max_views: null,
      max_size: null,
      watermark: '',
      can_download: true,
      shows_private: false,
    })
  })

  it('replaces a password', () => {
    expect(changedBy(before, { ...before, password: 'new' }, now)).toEqual({ password: 'new' })
  })
})
