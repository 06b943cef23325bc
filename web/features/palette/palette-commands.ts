import type { LucideIcon } from 'lucide-react'

export interface Command {
  id: string
  group: 'selection' | 'pages' | 'settings' | 'commands' | 'recent' | 'images'
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

const groups = ['selection', 'pages', 'settings', 'commands', 'recent', 'images'] as const

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
      matches(wanted, `${command.label} ${command.place ?? ''} ${command.synonyms ?? ''}`),
  )
  const named = new Set(byLabel.map(({ group }) => group))
  const rankOf = ({ group }: Command) => groups.indexOf(group) + (named.has(group) ? 0 : groups.length)
  return [...byLabel, ...byOther].toSorted((a, b) => rankOf(a) - rankOf(b))
}

function matches(wanted: readonly string[], text: string): boolean {
  const given = words(text)
  return wanted.every((word) => given.some((own) => own.startsWith(word)))
}

const words = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
