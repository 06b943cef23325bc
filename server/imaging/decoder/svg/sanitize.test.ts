import { describe, expect, it } from 'vitest'
import { ImageRefused } from '../../refusal.ts'
import { sanitizeSvg } from './sanitize.ts'
import { dangersIn } from './testing/dangers.ts'
import { hostiles } from './testing/hostile.ts'

const clean = (svg: string | Buffer) => sanitizeSvg(Buffer.from(svg as string)).svg.toString()

function fateOf(svg: string | Buffer): string {
  try {
    clean(svg)
    return 'cleaned'
  } catch (error) {
    if (error instanceof ImageRefused) return error.reason
    throw error
  }
}

describe('hostile SVGs', () => {
  it.each(hostiles)('$name: $fate', ({ svg, fate }) => {
    expect(fateOf(svg)).toBe(fate)
    if (fate !== 'cleaned') return
    const cleaned = clean(svg)
    expect(dangersIn(cleaned)).toEqual([])
    expect(cleaned).not.toMatch(/canary\.invalid(?![^<]*<\/text>)/)
    expect(clean(cleaned)).toBe(cleaned)
  })

  it('mostly fail the independent check before sanitizing, so that the check proves something', () => {
    const seen = hostiles.filter(({ fate, svg }) => fate === 'cleaned' && dangersIn(String(svg)).length > 0)
    expect(seen.length).toBeGreaterThan(90)
  })
})
