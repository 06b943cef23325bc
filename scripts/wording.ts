// Words that comments, test titles and documents of this project do not use, with the established term for each.
import { lineOf, proseOf, type SourceFile } from './prose.ts'

interface Rule {
  words: RegExp
  write: string
}

export const rules: Rule[] = [
  {
    words: /whoever|whomever|whosoever|somebody|nobody|anybody|everybody|who comes/,
    write: 'client, caller, peer, user, operator',
  },
  { words: /tells?|telling|told/, write: 'notify, report, return, log, show' },
  { words: /answer(?:s|ed|ing)?|repl(?:y|ies|ied|ying)|questions?/, write: 'request, response, result' },
  { words: /kept|remember(?:s|ed|ing)?|forg[eo]ts?|forgotten|in mind/, write: 'cache, store, retain, preserve, omit' },
  {
    words: /its turn|in turns?|by turns|take(?:s|n)? turns?|takes? (?:a|its) turn/,
    write: 'queue, mutex, serialize, round robin',
  },
  { words: /rooms?/, write: 'capacity, space, budget, buffer' },
  { words: /by when|patien(?:ce|tly)/, write: 'deadline, timeout' },
  {
    words: /giv(?:e|es|en|ing) back|gave back|lends?|lent|lending|borrow(?:s|ed|ers?|ing)?/,
    write: 'release, return, share, reference count',
  },
  { words: /gone|ghosts?/, write: 'expired, deleted, removed, closed' },
  { words: /put(?:s|ting)? aside|lets? go|letting go/, write: 'evict, purge, move, release' },
  { words: /holes?/, write: 'placeholder, gap' },
  { words: /anew/, write: 'restart, again, from the start' },
  { words: /deeds?|plant(?:s|ed|ing)?|mend(?:s|ed|ing)?|house/, write: 'scenario, operation, inject, repair, fix' },
  { words: /sen(?:d|ds|ding|t) away/, write: 'reject, refuse with 4xx' },
  { words: /as it was seen|forthwith|aloud|riddles?/, write: 'a literal statement' },
]

/** Real uses of these words. What matches is not looked at. */
const allowed = [
  // HTTP: RFC 9110 section 15.5.11, and failure codes named after it.
  /410 \(?gone\b/gi,
  /\w+_gone\b/g,
  // RFC 5321 section 4.2 (SMTP), and the Reply-To field of mail.
  /\b(?:SMTP|multi-?line|mail server's|LMTP) repl(?:y|ies)/gi,
  /\breply-to\b/gi,
  // Types and parameters of Fastify.
  /\bFastifyReply\b/g,
  // Quotations: specified texts, titles of tests and of documents.
  /"[^"\n]{0,160}"/g,
  /(?<!\w)'[A-Z][^']{0,160}\.'/g,
]

export interface Finding {
  path: string
  line: number
  word: string
  write: string
}

/** Every use of a left-out word in the prose of a file. */
export function wordingFindings(file: SourceFile): Finding[] {
  const text = allowed.reduce(
    (prose, phrase) => prose.replaceAll(phrase, (found) => found.replaceAll(/\S/g, '\0')),
    proseOf(file),
  )
  return rules.flatMap(({ words, write }) => {
    const pattern = new RegExp(
      String.raw`(?<![\w-])(?:${words.source.replaceAll(' ', String.raw`\s+`)})(?![\w-])`,
      'gi',
    )
    return [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
      path: file.path,
      line: lineOf(text, index),
      word: word.replaceAll(/\s+/g, ' '),
      write,
    }))
  })
}

export const sentenceOf = ({ path, line, word, write }: Finding) => `${path}:${line} "${word}"; write: ${write}`
