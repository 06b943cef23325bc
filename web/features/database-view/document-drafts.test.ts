import { describe, expect, it } from 'vitest'
import { type DocumentDraft, draftsText, maxStoredDraftChars, readDrafts } from './document-drafts.ts'

const base = { _id: 'a', createdAt: '2026-01-01T00:00:00.000Z', __v: 1 }
const draft = (raw: string): DocumentDraft<unknown> => ({ base, edits: new Map([['name', { kind: 'text', raw }]]) })

describe('drafts after a reload', () => {
  it('are read by their own user only', () => {
    const text = draftsText('ann', new Map([['["faqs","a"]', draft('x')]])) ?? null
    expect(readDrafts(text, 'ann').get('["faqs","a"]')).toEqual(draft('x'))
    expect(readDrafts(text, 'bob').size).toBe(0)
  })

  it('omit a draft that is too large, and store nothing when there is none', () => {
    const drafts = new Map([
      ['large', draft('x'.repeat(maxStoredDraftChars))],
      ['small', draft('x')],
    ])
    expect([...readDrafts(draftsText('ann', drafts) ?? null, 'ann').keys()]).toEqual(['small'])
    expect(draftsText('ann', new Map())).toBeUndefined()
  })

  it.each([
    null,
    '',
    '{',
    'null',
    '7',
    '{"user":"ann"}',
    '{"user":"ann","drafts":[7]}',
    '{"user":"ann","drafts":[["k"]]}',
  ])('are empty when the storage has %j', (text) => expect(readDrafts(text, 'ann').size).toBe(0))
})
