import type { JsonObject } from '../../domain/shared/document-source.ts'
import type { SeededRandom } from './seeded-random.ts'
import { priorities, slugOf } from './sample-text.ts'

/** The entries of each category: heading and text. */
const known: Record<string, [string, string][]> = {
  Uploading: [
    ['Which formats can I upload?', 'PNG, JPEG and WebP without an account; GIF and SVG as well with one.'],
    [
      'How large may a picture be?',
      '5 MB without an account, 10 MB with one. The page says so before it sends anything.',
    ],
    [
      'Can I upload several at once?',
      'Yes. Drop them together: three travel at a time and the others wait for their turn.',
    ],
    [
      'Is the location in my photographs removed?',
      'Yes. What a camera writes beside the picture is removed before it is stored, and the picture stays upright.',
    ],
  ],
  Links: [
    [
      'How long does a link work?',
      'Sixty days for guests, a year with an account. A picture can be extended at any time before that.',
    ],
    [
      'Can I have another size?',
      'Put the width into the address of the thumbnail or of the resized picture. It is made at the first view and kept.',
    ],
    [
      'What does a link say when its picture is gone?',
      'For thirty days that it was here (410), after that that it is unknown (404).',
    ],
  ],
  Accounts: [
    ['Do I need an account?', 'No. With one your pictures live longer, and there is a list of them.'],
    ['I forgot my password.', 'Ask whoever runs this site: they can set a new one, which ends every session of yours.'],
    ['How do I log out everywhere?', 'On the account page. Every token ends at once, on every device.'],
  ],
  'API keys': [
    [
      'What can a key do?',
      'Upload and manage the pictures of its owner. It cannot make keys, read accounts or act as an admin.',
    ],
    ['I lost my key.', 'It was shown once and only its checksum is kept. Delete it and make another.'],
  ],
  Embedding: [
    ['Is there code for forums?', 'BBCode, Markdown, HTML and eleven more, each with a button that copies it.'],
    [
      'Why is the picture sharp on my phone?',
      'The HTML offers several widths, and the browser takes the one that fits the screen.',
    ],
  ],
  'For operators': [
    [
      'Where are the backups?',
      'In the folder backups of the data folder, until they are copied to another machine, which they should be.',
    ],
    [
      'Can I change the database later?',
      'Yes: the command move copies every row to the other one and compares them there.',
    ],
  ],
}

export function sampleFaqCategories(random: SeededRandom): JsonObject[] {
  return Object.entries(known).map(([name, questions], order) => ({
    _id: slugOf(name),
    name,
    order,
    visible: order !== 5,
    count: questions.length,
    parent: order === 4 ? 'links' : null,
    colour: random.pick(['blue', 'green', 'amber', 'violet']),
  }))
}

export function sampleFaqs(random: SeededRandom): JsonObject[] {
  return Object.entries(known).flatMap(([category, questions]) =>
    questions.map(([question, answer], n) => ({
      _id: `${slugOf(category)}-${n + 1}`,
      question,
      answer,
      category: { id: slugOf(category), name: category },
      tags: question.toLowerCase().match(/\p{L}{5,}/gu) ?? [],
      votes: { up: random.whole(0, 240), down: random.whole(0, 20) },
      reviewedAt: random.chance(0.3)
        ? null
        : new Date(Date.UTC(2025, random.whole(0, 11), random.whole(1, 28))).toISOString(),
      completed: random.chance(0.8),
      priority: random.pick(priorities),
    })),
  )
}
