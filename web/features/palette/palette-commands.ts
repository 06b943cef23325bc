import type { LucideIcon } from 'lucide-react'

export interface Command {
  id: string
  group: 'pages' | 'commands' | 'images'
  label: string
  Icon: LucideIcon
  /** The keys that run it without the palette. */
  keys?: string | undefined
  /** Of an image. */
  thumbnail?: string
  run: () => void
}

/** The commands whose label has a word starting with each typed word, in their own order. */
export function filterCommands(commands: readonly Command[], typed: string): Command[] {
  const wanted = words(typed)
  return commands.filter(({ label }) => {
    const given = words(label)
    return wanted.every((word) => given.some((own) => own.startsWith(word)))
  })
}

const words = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
