// Sample documents about cars: makes, models, trims and body styles. Only the towns are real.
import type { JsonObject } from '../../domain/shared/document-source.ts'
import { paragraph, priorities, slugOf } from './sample-text.ts'
import { type SeededRandom, createSeededRandom } from './seeded-random.ts'

const towns = [
  { country: 'Sweden', city: 'Gothenburg', geo: { lat: 57.7089, lng: 11.9746 } },
  { country: 'Japan', city: 'Hamamatsu', geo: { lat: 34.7108, lng: 137.7261 } },
  { country: 'Italy', city: 'Turin', geo: { lat: 45.0703, lng: 7.6869 } },
  { country: 'Germany', city: 'Zwickau', geo: { lat: 50.7189, lng: 12.4964 } },
  { country: 'United States', city: 'Detroit', geo: { lat: 42.3314, lng: -83.0458 } },
  { country: 'South Korea', city: 'Ulsan', geo: { lat: 35.5384, lng: 129.3114 } },
] as const
const makeNames = [
  'Aurel',
  'Bergström',
  'Cavallo',
  'Dahlia',
  'Evora',
  'Falkner',
  'Gallant',
  'Hoshino',
  'Ikari',
  'Juno',
  'Kestrel',
  'Lumen',
  'Marlowe',
  'Nordlys',
  'Orbis',
  'Pallas',
  'Quanta',
  'Rivetti',
  'Solara',
  'Tamarin',
  'Ursa',
  'Vanguard',
  'Wolfram',
  'Zephyr',
]
const modelNames = ['One', 'Vista', 'Terra', 'Metro', 'Alto', 'Corsa Nova', 'Breeze', 'Summit'] as const
const trimNames = ['Base', 'Comfort', 'Sport', 'Touring', 'Limited'] as const
const bodies = [
  'Hatchback',
  'Saloon',
  'Estate',
  'Coupé',
  'Cabriolet',
  'SUV',
  'Pickup',
  'Van',
  'Roadster',
  'Microcar',
] as const
const paints = [
  { name: 'Polar white', hex: '#f4f6f7' },
  { name: 'Midnight blue', hex: '#14213d' },
  { name: 'Signal red', hex: '#c1121f' },
  { name: 'Moss', hex: '#606c38' },
  { name: 'Graphite', hex: '#3a3d40' },
] as const
const extras = [
  'Heated seats',
  'Tow bar',
  'Panorama roof',
  'Head-up display',
  'Roof rails',
  'Matrix lights',
  'Winter wheels',
] as const
const engines = ['Petrol', 'Diesel', 'Hybrid', 'Electric'] as const

export function vehicleMakes(random: SeededRandom): JsonObject[] {
  return makeNames.map((name, n) => ({
    _id: slugOf(name),
    name,
    founded: 1899 + random.whole(0, 110),
    headquarters: random.pick(towns),
    active: random.chance(0.85),
    website: `https://${slugOf(name)}.example.com`,
    logo: random.chance(0.3) ? null : `/uploads/${slugOf(name)}.svg`,
    aliases: random.chance(0.3) ? [`${name} Motors`, `${name} Cars`] : [],
    employees: random.whole(4, 900) * 100,
    history: paragraph(random, 4 + (n % 4)),
  }))
}

export function vehicleModels(random: SeededRandom): JsonObject[] {
  return makeNames.flatMap((make) =>
    modelNames.slice(0, 3 + random.whole(0, 3)).map((name) => ({
      _id: slugOf(`${make} ${name}`),
      make: slugOf(make),
      name,
      body: random.pick(bodies),
      years: { from: 1990 + random.whole(0, 20), to: random.chance(0.5) ? null : 2012 + random.whole(0, 12) },
      dimensions: {
        length: random.whole(3400, 5200),
        width: random.whole(1600, 2050),
        height: random.whole(1300, 2000),
        unit: 'mm',
      },
      discontinued: random.chance(0.3),
      priority: random.pick(priorities),
    })),
  )
}

/** Trims of the models above; the collection with many pages. */
export function vehicleTrims(random: SeededRandom): JsonObject[] {
  return vehicleModels(createSeededRandom('models')).flatMap(({ _id, make }) =>
    trimNames.slice(0, random.whole(2, trimNames.length)).map((name) => {
      const kind = random.pick(engines)
      const kilowatts = random.whole(45, 320)
      return {
        _id: slugOf(`${String(_id)} ${name}`),
        make,
        model: _id,
        name,
        price: Math.round(random.between(9_000, 92_000)) + 0.99,
        currency: 'EUR',
        engine: {
          kind,
          power: { kw: kilowatts, hp: Math.round(kilowatts * 1.36) },
          displacement: kind === 'Electric' ? null : random.whole(9, 40) * 100,
        },
        consumption: Math.round(random.between(3.2, 12) * 10) / 10,
        options: extras
          .filter(() => random.chance(0.45))
          .map((option) => ({ name: option, price: random.whole(2, 30) * 50, included: random.chance(0.25) })),
        completed: random.chance(0.6),
        priority: random.pick(priorities),
        review: random.chance(0.4) ? null : paragraph(random, 3),
      }
    }),
  )
}

export function vehicleStyles(random: SeededRandom): JsonObject[] {
  return bodies.map((name) => ({
    _id: slugOf(name),
    name,
    doors: random.whole(2, 5),
    seats: random.whole(2, 9),
    colours: paints.filter(() => random.chance(0.7)),
    popular: random.chance(0.5),
    description: paragraph(random, 2),
  }))
}
