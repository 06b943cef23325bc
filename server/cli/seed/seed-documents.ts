// The generic collections of the sample set; `users` is a system collection.
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { inBatches } from '../../domain/shared/batches.ts'
import { insertDocuments } from '../../domain/database-view/insert-documents.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import type { JsonObject } from '../../domain/shared/document-source.ts'
import { plainWordsOf } from './seed-accounts.ts'
import { type SeededRandom, createSeededRandom } from './seeded-random.ts'

export const collections: Record<string, (random: SeededRandom) => JsonObject[]> = {
  makes: sampleMakes,
  models: sampleModels,
  trims: sampleTrims,
  styles: sampleStyles,
  destinations: sampleDestinations,
  faqcategories: sampleFaqCategories,
  faqs: sampleFaqs,
}

/** Adds the missing documents. @returns the number of documents added to each collection */
export async function seedDocuments(deps: Deps): Promise<{ name: string; inserted: number }[]> {
  const seeded: { name: string; inserted: number }[] = []
  for (const [name, make] of Object.entries(collections)) {
    const documents = make(createSeededRandom(name)).map((document, n, all) => ({
      ...document,
      // Spread over the last hundred days.
      createdAt: deps.now() - Math.round(((all.length - n) / all.length) * 100 * dayMs),
    }))
    let inserted = 0
    for await (const batch of inBatches(documents, limits.documents.maxPerInsert)) {
      inserted += (await insertDocuments(deps, name, batch, { actor: 'command_line' }, 'skip')).inserted
    }
    seeded.push({ name, inserted })
  }
  return seeded
}

/** Name, country, latitude, longitude, sights. */
const places: [string, string, number, number, string[]][] = [
  ['Lisbon', 'Portugal', 38.7223, -9.1393, ['Tram 28', 'Belém Tower', 'Alfama']],
  ['Kyoto', 'Japan', 35.0116, 135.7681, ['Fushimi Inari', 'Arashiyama', 'Kinkaku-ji']],
  ['Reykjavík', 'Iceland', 64.1466, -21.9426, ['Hallgrímskirkja', 'Harpa']],
  ['Cape Town', 'South Africa', -33.9249, 18.4241, ['Table Mountain', 'Bo-Kaap', 'Robben Island']],
  ['Oaxaca', 'Mexico', 17.0732, -96.7266, ['Monte Albán', 'Mercado 20 de Noviembre']],
  ['Hội An', 'Vietnam', 15.8801, 108.338, ['Japanese Bridge', 'Lantern market']],
  ['Kraków', 'Poland', 50.0647, 19.945, ['Wawel', 'Rynek Główny', 'Kazimierz']],
  ['القاهرة', 'Egypt', 30.0444, 31.2357, ['الأهرامات', 'خان الخليلي']],
]

/** Documents with all kinds of values: nested, in lists, missing, and in another script. */
function sampleDestinations(random: SeededRandom): JsonObject[] {
  return places.map(([name, country, lat, lng, sights], n) => ({
    // A name in a non-Latin script has an empty slug.
    _id: slugOf(name).replace(/^-$/, `place-${n}`),
    name,
    country,
    address: { street: random.chance(0.3) ? null : `${random.whole(1, 240)} Harbour Street`, geo: { lat, lng } },
    rating: Math.round(random.between(3.4, 5) * 10) / 10,
    sights: sights.map((sight) => ({ name: sight, fee: random.chance(0.4) ? null : random.whole(2, 30) })),
    visitedOn: random.chance(0.5) ? null : new Date(Date.UTC(2019 + n, n, random.whole(1, 28))).toISOString(),
    completed: random.chance(0.5),
    priority: random.pick(['low', 'medium', 'high']),
    notes: paragraph(random, random.whole(1, 5)),
  }))
}

const makeNames = ['Aurel', 'Bergström', 'Cavallo', 'Dahlia', 'Evora', 'Hoshino', 'Kestrel', 'Nordlys', 'Rivetti']
const modelNames = ['One', 'Vista', 'Terra', 'Metro', 'Alto', 'Corsa Nova', 'Breeze', 'Summit'] as const

function sampleMakes(random: SeededRandom): JsonObject[] {
  return makeNames.map((name) => ({
    _id: slugOf(name),
    name,
    founded: 1899 + random.whole(0, 110),
    active: random.chance(0.85),
    website: `https://${slugOf(name)}.example.com`,
    aliases: random.chance(0.3) ? [`${name} Motors`, `${name} Cars`] : [],
    history: paragraph(random, random.whole(4, 7)),
  }))
}

/** The collection with several pages. */
function sampleModels(random: SeededRandom): JsonObject[] {
  return makeNames.flatMap((make) =>
    modelNames.map((name) => ({
      _id: slugOf(`${make} ${name}`),
      make: slugOf(make),
      name,
      body: random.pick(['Hatchback', 'Saloon', 'Estate', 'Coupé', 'Pickup', 'Roadster']),
      years: { from: 1990 + random.whole(0, 20), to: random.chance(0.5) ? null : 2012 + random.whole(0, 12) },
      price: { amount: Math.round(random.between(9_000, 92_000)) + 0.99, currency: 'EUR' },
      discontinued: random.chance(0.3),
    })),
  )
}

/** The largest collection. */
function sampleTrims(random: SeededRandom): JsonObject[] {
  return sampleModels(random).flatMap(({ _id: model }) =>
    ['Base', 'Comfort', 'Sport'].map((name) => ({
      _id: `${String(model)}-${name.toLowerCase()}`,
      model,
      name,
      doors: random.pick([2, 3, 5]),
      engine: random.chance(0.3) ? { kind: 'electric', kWh: random.whole(40, 110) } : { kind: 'petrol', litres: 1.6 },
      options: random.chance(0.5) ? ['Heated seats', 'Sunroof'] : [],
    })),
  )
}

function sampleStyles(): JsonObject[] {
  return ['Hatchback', 'Saloon', 'Estate', 'Coupé', 'Pickup', 'Roadster'].map((name, rank) => ({
    _id: slugOf(name),
    name,
    rank,
  }))
}

/** Heading and text of the questions in each category. */
const questions: Record<string, [string, string][]> = {
  Uploading: [
    ['How large may an image be?', 'The page says so before it sends anything.'],
    ['Is the location in my photographs removed?', 'Yes, together with everything else a camera adds.'],
  ],
  Links: [['How long does a link work?', 'Longer with an account, and you can extend it at any time before it ends.']],
  Accounts: [['Do I need an account?', 'No. With one your images live longer, and you have a gallery of them.']],
}

function sampleFaqCategories(): JsonObject[] {
  return Object.keys(questions).map((name, rank) => ({ _id: slugOf(name), name, rank }))
}

function sampleFaqs(): JsonObject[] {
  return Object.entries(questions).flatMap(([category, entries]) =>
    entries.map(([heading, text]) => ({ _id: slugOf(heading), category: slugOf(category), heading, text })),
  )
}

const sentences = [
  'It was planned for a year and took five.',
  'Most people come for the first time by accident and for the second time on purpose.',
  'Nobody knows who chose the colour, but nobody wants another.',
  'In winter the light is low and the streets are empty before five.',
  'Bring water, a hat, and somebody who can read the timetable.',
] as const

const paragraph = (random: SeededRandom, count: number): string =>
  Array.from({ length: count }, () => random.pick(sentences)).join(' ')

const slugOf = (name: string): string => plainWordsOf(name).join('-')
