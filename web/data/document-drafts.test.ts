import { describe, expect, it } from 'vitest'
import { type Draft, draftsText, maxStoredDraftChars, readDrafts } from './document-drafts.ts'

const base = { _id: 'a', createdAt: '2026-01-01T00:00:00.000Z', __v: 1 }
const draft = (raw: string): Draft<unknown> => ({ base, edits: new Map([['name', { kind: 'text', raw }]]) })

describe('drafts over a reload', () => {
  it('come back to their user alone', () => {
    const text = draftsText('ann', new Map([['["faqs","a"]', draft('x')]])) ?? null
    expect(readDrafts(text, 'ann').get('["faqs","a"]')).toEqual(draft('x'))
    expect(readDrafts(text, 'bob').size).toBe(0)
  })

  it('leave out what is too large, and nothing is kept of nothing', () => {
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
  ])('start anew from %j', (text) => expect(readDrafts(text, 'ann').size).toBe(0))
})
