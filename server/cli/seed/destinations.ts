import type { JsonObject } from '../../domain/shared/document-source.ts'
import type { SeededRandom } from './seeded-random.ts'
import { paragraph, priorities, slugOf } from './sample-text.ts'

/** Name, country, latitude, longitude, sights. */
const places: [string, string, number, number, string[]][] = [
  ['Lisbon', 'Portugal', 38.7223, -9.1393, ['Tram 28', 'Belém Tower', 'Alfama']],
  ['Kyoto', 'Japan', 35.0116, 135.7681, ['Fushimi Inari', 'Arashiyama', 'Kinkaku-ji']],
  ['Reykjavík', 'Iceland', 64.1466, -21.9426, ['Hallgrímskirkja', 'Harpa']],
  ['Marrakesh', 'Morocco', 31.6295, -7.9811, ['Jemaa el-Fnaa', 'Majorelle Garden']],
  ['Cape Town', 'South Africa', -33.9249, 18.4241, ['Table Mountain', 'Bo-Kaap', 'Robben Island']],
  ['Québec', 'Canada', 46.8139, -71.208, ['Château Frontenac']],
  ['Oaxaca', 'Mexico', 17.0732, -96.7266, ['Monte Albán', 'Mercado 20 de Noviembre']],
  ['Hội An', 'Vietnam', 15.8801, 108.338, ['Japanese Bridge', 'Lantern market']],
  ['Tbilisi', 'Georgia', 41.7151, 44.8271, ['Narikala', 'Sulphur baths']],
  ['Bergen', 'Norway', 60.3913, 5.3221, ['Bryggen', 'Fløyen']],
  ['Kraków', 'Poland', 50.0647, 19.945, ['Wawel', 'Rynek Główny', 'Kazimierz']],
  ['Porto', 'Portugal', 41.1579, -8.6291, ['Livraria Lello', 'Dom Luís I Bridge']],
  ['Valparaíso', 'Chile', -33.0472, -71.6127, ['Ascensor Concepción']],
  ['Jaipur', 'India', 26.9124, 75.7873, ['Hawa Mahal', 'Amber Fort']],
  ['القاهرة', 'Egypt', 30.0444, 31.2357, ['الأهرامات', 'خان الخليلي']],
  ['Hobart', 'Australia', -42.8821, 147.3272, ['MONA', 'Salamanca Market']],
  ['Ljubljana', 'Slovenia', 46.0569, 14.5058, ['Dragon Bridge', 'Tivoli']],
  ['Cusco', 'Peru', -13.532, -71.9675, ['Qorikancha', 'San Pedro Market', 'Sacsayhuamán']],
]

export function sampleDestinations(random: SeededRandom): JsonObject[] {
  return places.map(([name, country, lat, lng, sights], n) => ({
    // A name in a non-Latin script has an empty slug.
    _id: slugOf(name).replace(/^-$/, `place-${n}`),
    name,
    country,
    address: { street: random.chance(0.3) ? null : `${random.whole(1, 240)} Harbour Street`, geo: { lat, lng } },
    rating: Math.round(random.between(3.4, 5) * 10) / 10,
    sights: sights.map((sight, place) => ({
      name: sight,
      fee: random.chance(0.4) ? null : random.whole(2, 30),
      open: { from: '09:00', to: place === 0 ? '18:00' : '22:00', days: ['Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] },
    })),
    visitedOn: random.chance(0.5)
      ? null
      : new Date(Date.UTC(2019 + (n % 6), n % 12, 1 + random.whole(0, 27))).toISOString(),
    completed: random.chance(0.5),
    priority: random.pick(priorities),
    notes: paragraph(random, random.whole(1, 5)),
  }))
}
