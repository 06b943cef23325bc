// The query language of image lists: words, and terms such as `tag:holiday` (docs/search.md, docs/decisions/0067). Page and
// server read a query with this one parser.
import { cleanName } from './clean-name.ts'
import { type ImageFormat, formatNames, formats } from './formats.ts'
import { dayMs, hourMs, limits } from './limits.ts'
import { normalizeTag } from './tag-names.ts'
import { visibilities, type Visibility } from './visibility.ts'

/** Of a number: more than, less than and so on. A time before it expires or since its upload is compared likewise. */
export type Comparison = '<' | '<=' | '>' | '>='

export type QueryCondition =
  | { kind: 'text'; text: string }
  /** With the tags below it; null: without any tag. */
  | { kind: 'tag'; tag: string | null }
  /** A title in any case, or an id, with the albums inside it; null: in no album. */
  | { kind: 'album'; album: string | null }
  | { kind: 'visibility'; visibility: Visibility }
  | { kind: 'type'; formats: ImageFormat[] }
  | { kind: 'expires'; comparison: Comparison; ms: number }
  /** Without an expiry. */
  | { kind: 'kept' }
  /** By the time since the last view or, of an image that was not viewed, since its upload. Views are stored by day. */
  | { kind: 'viewed'; comparison: Comparison; ms: number }
  /** By the time of the upload, from the moment on or before it; `agoMs` counts back from now. */
  | { kind: 'uploaded'; side: 'before' | 'from'; at: { utcMs: number } | { agoMs: number } }
  | { kind: 'size'; comparison: Comparison; bytes: number }
  | { kind: 'views'; comparison: Comparison; views: number }

export type QueryTerm = QueryCondition & {
  /** Written with a hyphen before it: images to which it does not apply. */
  isExcluded: boolean
  /** Where it is in the query, in UTF-16 code units. */
  start: number
  end: number
}

export interface QueryProblem {
  /** The term as it was written, and where: as `start` and `end` of a {@link QueryTerm}. */
  term: string
  start: number
  end: number
  expected: string
}

/** Every term must apply. Of a query with a problem, `terms` are the others. */
export interface ImageQuery {
  terms: QueryTerm[]
  problem?: QueryProblem
}

export type QueryOperator =
  | 'tag'
  | 'album'
  | 'is'
  | 'type'
  | 'expires'
  | 'before'
  | 'after'
  | 'size'
  | 'views'
  | 'viewed'

interface Operator {
  /** What follows the colon, for the message and the completion. */
  example: string
  expected: string
  /** undefined: not a value of this operator. */
  read: (value: string, isQuoted: boolean) => QueryCondition | undefined
}

/** In the order in which the page offers them. */
export const queryOperators: Record<QueryOperator, Operator> = {
  tag: {
    example: 'tag:holiday/beach',
    expected: 'a tag, such as tag:holiday, or tag:none',
    read(value, isQuoted) {
      if (isNone(value, isQuoted)) return { kind: 'tag', tag: null }
      const tag = normalizeTag(value)
      return tag === undefined ? undefined : { kind: 'tag', tag }
    },
  },
  album: {
    example: 'album:"Italy 2026"',
    expected: 'the title of an album, such as album:"Italy 2026", or album:none',
    read(value, isQuoted) {
      if (isNone(value, isQuoted)) return { kind: 'album', album: null }
      const album = cleanName(value)
      return album === '' || album.length > limits.albums.maxTitleLength ? undefined : { kind: 'album', album }
    },
  },
  is: {
    example: 'is:private',
    expected: 'is:private or is:public',
    read(value) {
      const visibility = visibilities.find((name) => name === value.toLowerCase())
      return visibility && { kind: 'visibility', visibility }
    },
  },
  type: {
    example: 'type:png',
    expected: `one of ${formatNames.join(', ')}, or several with commas between them`,
    read(value) {
      const found = value.split(',').map((name) => formatOf.get(name.trim().toLowerCase()))
      return found.includes(undefined) ? undefined : { kind: 'type', formats: found.filter((f) => f !== undefined) }
    },
  },
  expires: {
    example: 'expires:<7d',
    expected: 'a time such as <7d or >4w, in h, d, w, m or y, or expires:never',
    read(value) {
      if (value.toLowerCase() === 'never') return { kind: 'kept' }
      const [comparison, rest] = readComparison(value)
      const ms = readDuration(rest)
      return comparison && ms !== undefined ? { kind: 'expires', comparison, ms } : undefined
    },
  },
  before: {
    example: 'before:2026-01-31',
    expected: 'a date such as 2026-01-31, 2026-01 or 2026, or a time ago such as 30d',
    read: (value) => readUploaded('before', value),
  },
  after: {
    example: 'after:30d',
    expected: 'a date such as 2026-01-31, 2026-01 or 2026, or a time ago such as 30d',
    read: (value) => readUploaded('from', value),
  },
  size: {
    example: 'size:>2mb',
    expected: 'a size such as >2mb or <500kb',
    read(value) {
      const [comparison, rest] = readComparison(value)
      const [, digits, unit = 'b'] = /^(\d{1,9}(?:\.\d{1,3})?)(b|kb|mb|gb)?$/i.exec(rest) ?? []
      if (!comparison || digits === undefined) return undefined
      const bytes = Math.round(Number(digits) * unitBytes[unit.toLowerCase() as keyof typeof unitBytes])
      return { kind: 'size', comparison, bytes }
    },
  },
  views: {
    example: 'views:>100',
    expected: 'a number such as >100 or <5',
    read(value) {
      const [comparison, rest] = readComparison(value)
      return comparison && /^\d{1,12}$/.test(rest) ? { kind: 'views', comparison, views: Number(rest) } : undefined
    },
  },
  viewed: {
    example: 'viewed:>12m',
    expected: 'a time since the last view such as >12m or <7d, in h, d, w, m or y',
    read(value) {
      const [comparison, rest] = readComparison(value)
      const ms = readDuration(rest)
      return comparison && ms !== undefined ? { kind: 'viewed', comparison, ms } : undefined
    },
  },
}

const operatorNames = Object.keys(queryOperators) as QueryOperator[]

const isNone = (value: string, isQuoted: boolean) => !isQuoted && value.toLowerCase() === 'none'

/** By every name and extension. */
const formatOf = new Map<string, ImageFormat>(
  formatNames.flatMap((name) => [name, ...formats[name].extensions].map((known) => [known, name] as const)),
)

const readComparison = (value: string): [Comparison | undefined, string] => {
  const [sign = ''] = /^[<>]=?/.exec(value) ?? []
  return [sign === '' ? undefined : (sign as Comparison), value.slice(sign.length)]
}

const unitBytes = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }
/** Twelve months are a year. */
const unitMs = { h: hourMs, d: dayMs, w: 7 * dayMs, m: (365 * dayMs) / 12, y: 365 * dayMs }

function readDuration(value: string): number | undefined {
  const [, digits, unit] = /^(\d{1,4})([hdwmy])$/i.exec(value) ?? []
  return digits === undefined ? undefined : Number(digits) * unitMs[(unit ?? '').toLowerCase() as keyof typeof unitMs]
}

function readUploaded(side: 'before' | 'from', value: string): QueryCondition | undefined {
  const agoMs = readDuration(value)
  if (agoMs !== undefined) return { kind: 'uploaded', side, at: { agoMs } }
  const [, year = '', month = '01', day = '01'] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(value) ?? []
  const utcMs = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  // Date.parse turns 30 February into 2 March.
  const isDate = !Number.isNaN(utcMs) && new Date(utcMs).toISOString().startsWith(`${year}-${month}-${day}`)
  return isDate ? { kind: 'uploaded', side, at: { utcMs } } : undefined
}

/** A part of the query between spaces, with spaces only in quotes. */
interface Token {
  start: number
  end: number
  isExcluded: boolean
  /** null: a word or a phrase in quotes. */
  operator: QueryOperator | null
  value: string
  isQuoted: boolean
}

/**
 * Reads a query. Words beside each other are one text with the spaces between them, as before there were terms: a query
 * without terms is a part of the name, title or alternative text. What looks like no operator is a word.
 */
export function parseImageQuery(query: string): ImageQuery {
  const tokens = readTokens(query)
  if (tokens.length > 0 && tokens.every(isWord) && !isPrivate(tokens))
    return withinLimits(query, [textOf(query, 0, query.length)])
  const terms: QueryTerm[] = []
  let problem: QueryProblem | undefined
  for (const group of groupWords(tokens)) {
    const [first] = group
    const { start, isExcluded } = first
    const end = group.at(-1)?.end ?? first.end
    const place = { isExcluded, start, end }
    if (isPrivate(group)) terms.push({ kind: 'visibility', visibility: 'private', ...place })
    else if (isWord(first)) terms.push(textOf(query, start, end))
    else if (first.operator === null) terms.push({ kind: 'text', text: first.value, ...place })
    else {
      const { read, expected } = queryOperators[first.operator]
      const condition = first.value === '' ? undefined : read(first.value, first.isQuoted)
      if (condition) terms.push({ ...condition, ...place })
      else problem ??= { term: query.slice(start, end), start, end, expected }
    }
  }
  return withinLimits(query, terms, problem)
}

const textOf = (query: string, start: number, end: number): QueryTerm => ({
  kind: 'text',
  text: query.slice(start, end),
  isExcluded: false,
  start,
  end,
})

const isWord = ({ operator, isQuoted, isExcluded }: Token) => operator === null && !isQuoted && !isExcluded

/** The word `private` with no other word beside it: the short form of `is:private`. In quotes it is a word. */
const isPrivate = ([first, ...others]: Token[]) =>
  first !== undefined &&
  others.length === 0 &&
  first.operator === null &&
  !first.isQuoted &&
  first.value.toLowerCase() === 'private'

/** Words beside each other are a group, everything else is one of its own. */
function groupWords(tokens: Token[]): [Token, ...Token[]][] {
  const groups: [Token, ...Token[]][] = []
  for (const token of tokens) {
    const last = groups.at(-1)
    if (last && isWord(token) && isWord(last[0])) last.push(token)
    else groups.push([token])
  }
  return groups
}

function withinLimits(query: string, terms: QueryTerm[], problem?: QueryProblem): ImageQuery {
  const { maxTerms, maxSearchLength } = limits.list
  const tooMany = terms[maxTerms]
  const tooLong = terms.find((term) => term.kind === 'text' && term.text.length > maxSearchLength)
  const excess = tooLong ?? tooMany
  if (!excess) return problem ? { terms, problem } : { terms }
  const { start, end } = excess
  const expected = tooLong ? `at most ${maxSearchLength} characters of text` : `at most ${maxTerms} terms`
  return { terms: terms.slice(0, maxTerms), problem: { term: query.slice(start, end), start, end, expected } }
}

/**
 * A hyphen; then an operator with its value, a phrase in quotes, or what is there up to a space. Quotes that do not end are
 * characters of a word, but a value that is being typed.
 */
const token = new RegExp(
  `(?<hyphen>-(?=[^\\s-]))?(?:(?<operator>${operatorNames.join('|')}):(?:"(?<quoted>[^"]*)(?:"|$)|(?<value>\\S*))` +
    `|"(?<phrase>[^"]*)"|(?<word>\\S+))`,
  'iy',
)

function readTokens(query: string): Token[] {
  const tokens: Token[] = []
  for (let at = skipSpaces(query, 0); at < query.length; at = skipSpaces(query, at)) {
    token.lastIndex = at
    // It matches at least one character, because there is no space at `at`.
    const { hyphen, operator, quoted, value, phrase, word } = token.exec(query)?.groups ?? {}
    tokens.push({
      start: at,
      end: token.lastIndex,
      isExcluded: hyphen !== undefined,
      operator: operator === undefined ? null : (operator.toLowerCase() as QueryOperator),
      value: quoted ?? value ?? phrase ?? word ?? '',
      isQuoted: (quoted ?? phrase) !== undefined,
    })
    at = token.lastIndex
  }
  // A pair of quotes with nothing in it says nothing.
  return tokens.filter(({ operator, isQuoted, value }) => operator !== null || !isQuoted || value !== '')
}

function skipSpaces(query: string, from: number): number {
  let at = from
  while (at < query.length && /\s/.test(query.charAt(at))) at += 1
  return at
}

/** For people, such as in `q: ...`. */
export const problemText = ({ term, start, expected }: QueryProblem): string =>
  `'${term}' at character ${start + 1}: expected ${expected}`
