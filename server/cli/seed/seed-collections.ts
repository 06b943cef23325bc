// The generic collections of the sample set; `users` is a system collection.
import { dayMs, limits } from '../../../contract/plain/limits.ts'
import { inBatches } from '../../domain/shared/batches.ts'
import { insertDocuments } from '../../domain/database-view/insert-documents.ts'
import type { Deps } from '../../domain/shared/deps.ts'
import type { JsonObject } from '../../domain/shared/document-source.ts'
import { sampleDestinations } from './destinations.ts'
import { sampleFaqCategories, sampleFaqs } from './faqs.ts'
import { type SeededRandom, createSeededRandom } from './seeded-random.ts'
import { vehicleMakes, vehicleModels, vehicleStyles, vehicleTrims } from './vehicles.ts'

const collections: Record<string, (random: SeededRandom) => JsonObject[]> = {
  makes: vehicleMakes,
  models: vehicleModels,
  trims: vehicleTrims,
  styles: vehicleStyles,
  destinations: sampleDestinations,
  faqcategories: sampleFaqCategories,
  faqs: sampleFaqs,
}

/** Adds the missing documents. @returns the number of documents added to each collection */
export async function seedCollections(deps: Deps): Promise<{ name: string; inserted: number }[]> {
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
