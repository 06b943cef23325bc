import type { LucideIcon } from 'lucide-react'

export interface Command {
  id: string
  group: 'selection' | 'used' | 'pages' | 'settings' | 'commands' | 'recent' | 'images'
  label: string
  Icon: LucideIcon
  /** Other words that find it. */
  synonyms?: string
  /** Of its group: what it is about. Default: the name of the group. */
  heading?: string
  /** Where it leads, beside the label. */
  place?: string
  /** The keys that run it without the palette. */
  keys?: string | undefined
  /** Of an image. */
  thumbnail?: string
  /** Shown only for what is typed: there are many. */
  isFound?: boolean
  run: () => void
}

const groups = ['selection', 'used', 'pages', 'settings', 'commands', 'recent', 'images'] as const

/** Without what was typed: those that were used last stand before the pages, and only there. */
export function withUsed(commands: readonly Command[], usedIds: readonly string[]): Command[] {
  const used = usedIds.flatMap((id) => commands.find((command) => command.id === id) ?? [])
  const isUsed = new Set(used)
  const rest = commands.filter((command) => !isUsed.has(command))
  return [
    ...rest.filter(({ group }) => group === 'selection'),
    ...used.map((command): Command => ({ ...command, group: 'used', isFound: false })),
    ...rest.filter(({ group }) => group !== 'selection'),
  ]
}

/**
 * The commands that have a word starting with each typed word, group by group. A label counts more than a synonym or the place:
 * within the group, and for the order of the groups.
 */
export function filterCommands(commands: readonly Command[], typed: string): Command[] {
  const wanted = words(typed)
  if (wanted.length === 0) return commands.filter(({ isFound }) => isFound !== true)
  const byLabel = commands.filter(({ label }) => matches(wanted, label))
  const byOther = commands.filter(
    (command) =>
      !byLabel.includes(command) &&
      matches(wanted, `${command.label} ${command.place ?? ''} ${command.synonyms ?? ''}`, true),
  )
  const named = new Set(byLabel.map(({ group }) => group))
  const rankOf = ({ group }: Command) => groups.indexOf(group) + (named.has(group) ? 0 : groups.length)
  return [...byLabel, ...byOther].toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** @param hasPlurals also takes the plural of a word */
function matches(wanted: readonly string[], text: string, hasPlurals = false): boolean {
  const given = words(text)
  return wanted.every((word) => given.some((own) => own.startsWith(word) || (hasPlurals && own === singular(word))))
}

const singular = (word: string) => word.replace(/s$/, '')

const words = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
