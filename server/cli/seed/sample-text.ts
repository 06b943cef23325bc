// Sentences and names for sample documents.
import type { SeededRandom } from './seeded-random.ts'

export const priorities = ['low', 'medium', 'high'] as const

const sentences = [
  'It was planned for a year and took five.',
  'Most people come for the first time by accident and for the second time on purpose.',
  'The workshop keeps every drawing since the beginning, and they are shown on Sundays.',
  'Nobody knows who chose the colour, but nobody wants another.',
  'Reviewers praised the quiet and disliked the handbook, which has 412 pages.',
  'Spare parts are made again since readers asked for them.',
  'In winter the light is low and the streets are empty before five.',
  'The numbers on this page were checked in spring and may have changed since.',
  'Bring water, a hat, and somebody who can read the timetable.',
] as const

export const paragraph = (random: SeededRandom, count: number): string =>
  Array.from({ length: count }, () => random.pick(sentences)).join(' ')

export const slugOf = (name: string): string => wordsOf(name).join('-')

export const emailOf = (name: string): string => `${wordsOf(name).join('.')}@example.com`

/** In lower case without accents. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
