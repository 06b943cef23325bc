// Sample graphics as SVG: charts, text cards, badges. Without installed fonts they have no text.
import type { SeededRandom } from './seeded-random.ts'
import { svgDocument, hsl, type Scene, type SceneSize } from './landscapes.ts'

const font = 'font-family="DejaVu Sans, Liberation Sans, Arial, sans-serif"'
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const chartTitles = ['Visitors by month', 'Revenue in thousands', 'Response time, ms', 'Trees planted'] as const
const sentences = [
  'Good pictures need no captions.',
  'Measure twice, cut once.',
  'The sea is never the same blue twice.',
  'Ship small, ship often.',
  'A map is a promise that there is a way.',
  'Tea first, questions later.',
] as const

/** A bar or line chart over twelve months. */
export const chartScene: Scene = (random, size) => {
  const { width, height } = size
  const hue = random.whole(0, 359)
  const plot = { left: width * 0.09, top: height * 0.2, width: width * 0.86, height: height * 0.66 }
  const values = months.map((_, n) => 0.25 + 0.4 * Math.abs(Math.sin(n / 3 + hue)) + random.between(0, 0.3))
  const x = (n: number) => Math.round(plot.left + ((n + 0.5) / months.length) * plot.width)
  const y = (value: number) => Math.round(plot.top + plot.height * (1 - value))
  const letters = Math.round(height * 0.035)
  const lines = [0, 0.25, 0.5, 0.75, 1].map(
    (value) => `<path d="M${plot.left} ${y(value)}h${plot.width}" stroke="#d9dce3" stroke-width="1"/>`,
  )
  const bars = values.map((value, n) => {
    const wide = Math.round(plot.width / months.length / 1.7)
    return `<rect x="${x(n) - wide / 2}" y="${y(value)}" width="${wide}" height="${y(0) - y(value)}" rx="4" fill="${hsl(hue, 62, 52)}"/>`
  })
  const dots = values.map((value, n) => `${x(n)},${y(value)}`)
  const line = `<polyline points="${dots.join(' ')}" fill="none" stroke="${hsl(hue, 62, 48)}" stroke-width="${height * 0.008}"/>`
  const labels = months.map(
    (month, n) =>
      `<text x="${x(n)}" y="${height * 0.93}" ${font} font-size="${letters * 0.8}" text-anchor="middle" fill="#5b6270">${month}</text>`,
  )
  const title = `<text x="${plot.left}" y="${height * 0.12}" ${font} font-size="${letters * 1.7}" font-weight="700" fill="#1b1f27">${random.pick(chartTitles)}</text>`
  const drawn = random.chance(0.5) ? bars.join('') : line
  return svgDocument(size, background('#ffffff') + lines.join('') + drawn + labels.join('') + title)
}

/** A sentence on a coloured card. */
export const cardScene: Scene = (random, size) => {
  const { width, height } = size
  const hue = random.whole(0, 359)
  const letters = Math.round(Math.min(width / 12, height / 7))
  const rows = wrapped(random.pick(sentences), Math.floor((width * 0.8) / (letters * 0.56)))
  const first = height / 2 - ((rows.length - 1) * letters * 1.3) / 2
  const lines = rows.map(
    (row, n) =>
      `<text x="${width * 0.1}" y="${Math.round(first + n * letters * 1.3)}" ${font} font-size="${letters}" font-weight="700" fill="${hsl(hue, 60, 96)}">${row}</text>`,
  )
  const bar = `<rect x="${width * 0.1}" y="${height * 0.14}" width="${width * 0.12}" height="${height * 0.015}" fill="${hsl(hue + 40, 85, 66)}"/>`
  return svgDocument(size, background(hsl(hue, 48, 26)) + bar + lines.join(''))
}

/** An editor window with placeholder code. */
export const screenshotScene: Scene = (random, size) => {
  const { width, height } = size
  const step = height / 26
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, n) => `<circle cx="${step * (1 + n)}" cy="${step}" r="${step * 0.28}" fill="${colour}"/>`,
  )
  const rows = Array.from({ length: 22 }, (_, n) => {
    let x = step * (1.2 + random.whole(0, 3) * 1.2)
    const words = Array.from({ length: random.whole(1, 6) }, () => {
      const wide = step * random.between(0.8, 4)
      const word = `<rect x="${Math.round(x)}" y="${Math.round(step * (2.6 + n))}" width="${Math.round(wide)}" height="${Math.round(step * 0.5)}" rx="3" fill="${hsl(random.pick([210, 130, 30, 280, 0]), 55, 68)}"/>`
      x += wide + step * 0.5
      return word
    })
    return random.chance(0.12) ? '' : words.join('')
  })
  const bar = `<rect width="${width}" height="${step * 2}" fill="#23262f"/>`
  return svgDocument(size, background('#171a21') + bar + dots.join('') + rows.join(''))
}

/** A round badge on a transparent background. */
export const badgeScene: Scene = (random, size) => {
  const { width, height } = size
  const hue = random.whole(0, 359)
  const [x, y, r] = [width / 2, height / 2, Math.min(width, height) * 0.46]
  const corners = random.whole(5, 9) * 2
  const star = Array.from({ length: corners }, (_, n) => {
    const reach = r * (n % 2 === 0 ? 0.72 : 0.36)
    const angle = (n / corners) * 2 * Math.PI - Math.PI / 2
    return `${Math.round(x + Math.cos(angle) * reach)},${Math.round(y + Math.sin(angle) * reach)}`
  })
  return svgDocument(
    size,
    `<circle cx="${x}" cy="${y}" r="${r}" fill="${hsl(hue, 68, 46)}"/><circle cx="${x}" cy="${y}" r="${r * 0.88}" fill="none" stroke="#fff" stroke-width="${r * 0.03}"/>` +
      `<polygon points="${star.join(' ')}" fill="${hsl(hue + 40, 90, 82)}"/>`,
  )
}

/** The frames of an animation of an orbiting ball. */
export function orbitFrames(random: SeededRandom, size: SceneSize, frames: number): string[] {
  const { width, height } = size
  const hue = random.whole(0, 359)
  const [reach, r] = [Math.min(width, height) * 0.3, Math.min(width, height) * 0.1]
  return Array.from({ length: frames }, (_, n) => {
    const angle = (n / frames) * 2 * Math.PI
    const [x, y] = [width / 2 + Math.cos(angle) * reach, height / 2 + Math.sin(angle) * reach]
    const ring = `<circle cx="${width / 2}" cy="${height / 2}" r="${reach}" fill="none" stroke="${hsl(hue, 40, 40)}" stroke-width="6"/>`
    const ball = `<circle cx="${Math.round(x)}" cy="${Math.round(y)}" r="${r}" fill="${hsl(hue + 40, 85, 62)}"/>`
    return svgDocument(size, background(hsl(hue, 45, 18)) + ring + ball)
  })
}

const background = (colour: string) => `<rect width="100%" height="100%" fill="${colour}"/>`

function wrapped(sentence: string, length: number): string[] {
  const rows = ['']
  for (const word of sentence.split(' ')) {
    const last = rows.at(-1) ?? ''
    if (last !== '' && last.length + word.length + 1 > length) rows.push(word)
    else rows[rows.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return rows
}
