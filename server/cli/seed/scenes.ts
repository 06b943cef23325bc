// What the sample images show, as SVG: landscapes, patterns and an animation.
import type { SeededRandom } from './seeded-random.ts'

export interface SceneSize {
  width: number
  height: number
}

/** Draws an image of this size. @param turn 0 to 1: how far an animated scene has got */
export type Scene = (random: SeededRandom, size: SceneSize, turn: number) => string

const svgDocument = ({ width, height }: SceneSize, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`

const hsl = (hue: number, saturation: number, lightness: number) =>
  `hsl(${Math.round(((hue % 360) + 360) % 360)},${Math.round(saturation)}%,${Math.round(lightness)}%)`

const round = (value: number) => Math.round(value * 10) / 10

const downwards = (id: string, colours: string[]) =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${colours
    .map((colour, n) => `<stop offset="${round(n / (colours.length - 1))}" stop-color="${colour}"/>`)
    .join('')}</linearGradient>`

/** Mountain ridges under a low sun. */
export const mountainsScene: Scene = (random, size) => {
  const { width, height } = size
  const hue = random.pick([205, 215, 260, 20, 340])
  const layers = random.whole(4, 6)
  const sky = downwards('sky', [hsl(hue, 55, 42), hsl(hue - 20, 60, 68), hsl(hue + 150, 75, 84)])
  const ridges = Array.from({ length: layers }, (_, n) => {
    const share = n / (layers - 1)
    const points = ridge(random, size, { top: height * (0.42 + share * 0.4), swing: height * (0.2 - share * 0.12) })
    return `<polygon points="${points}" fill="${hsl(hue + share * 25, 32, 62 - share * 48)}"/>`
  })
  const sunRadius = height * random.between(0.04, 0.09)
  const sun = `<circle cx="${round(width * random.between(0.2, 0.8))}" cy="${round(height * random.between(0.22, 0.4))}"`
  return svgDocument(
    size,
    `<defs>${sky}</defs><rect width="100%" height="100%" fill="url(#sky)"/>` +
      `${sun} r="${round(sunRadius)}" fill="${hsl(45, 90, 88)}"/>${ridges.join('')}`,
  )
}

/** A line by midpoint displacement, closed at the lower corners. */
function ridge(
  random: SeededRandom,
  { width, height }: SceneSize,
  { top, swing }: { top: number; swing: number },
): string {
  let heights = [top + random.between(-swing, swing), top, top + random.between(-swing, swing)]
  for (let reach = swing; heights.length < 129; reach *= 0.55) {
    heights = heights.flatMap((here, n) => {
      const next = heights[n + 1]
      return next === undefined ? [here] : [here, (here + next) / 2 + random.between(-reach, reach)]
    })
  }
  const line = heights.map((y, n) => `${round((n / (heights.length - 1)) * width)},${round(y)}`)
  return [`0,${height}`, ...line, `${width},${height}`].join(' ')
}

/** The sea with reflected light. */
export const seasideScene: Scene = (random, size) => {
  const { width, height } = size
  const hue = random.pick([190, 200, 212, 24])
  const horizon = height * random.between(0.45, 0.62)
  const sunX = width * random.between(0.3, 0.7)
  const glints = Array.from({ length: 70 }, () => {
    const depth = random.next() ** 1.6
    const y = horizon + depth * (height - horizon)
    const spread = width * (0.03 + depth * 0.25)
    const x = sunX + random.between(-spread, spread)
    const length = width * (0.01 + depth * 0.05)
    return `<rect x="${round(x)}" y="${round(y)}" width="${round(length)}" height="${round(1 + depth * 4)}" rx="2" fill="#fff" opacity="${round(random.between(0.2, 0.7))}"/>`
  })
  return svgDocument(
    size,
    `<defs>${downwards('sky', [hsl(hue, 60, 55), hsl(hue + 10, 65, 76), hsl(40, 90, 86)])}` +
      `${downwards('sea', [hsl(hue, 50, 58), hsl(hue + 12, 62, 24)])}</defs>` +
      `<rect width="100%" height="100%" fill="url(#sky)"/>` +
      `<circle cx="${round(sunX)}" cy="${round(horizon - height * 0.06)}" r="${round(height * 0.07)}" fill="#fff6d8"/>` +
      `<rect y="${round(horizon)}" width="100%" height="100%" fill="url(#sea)"/>${glints.join('')}`,
  )
}

/** A town at night, some windows lit. */
export const skylineScene: Scene = (random, size) => {
  const { width, height } = size
  const hue = random.whole(220, 290)
  const houses: string[] = []
  for (let x = 0; x < width;) {
    const wide = width * random.between(0.05, 0.11)
    const top = height * random.between(0.28, 0.7)
    houses.push(`<rect x="${round(x)}" y="${round(top)}" width="${round(wide)}" height="${round(height - top)}"
      fill="${hsl(hue, 30, random.between(9, 17))}"/>`)
    const step = wide / 5
    for (let y = top + step; y < height - step; y += step * 1.3)
      for (let column = 0; column < 4; column++)
        if (random.chance(0.35))
          houses.push(
            `<rect x="${round(x + step * (column + 0.7))}" y="${round(y)}" width="${round(step * 0.5)}" height="${round(step * 0.7)}" fill="${hsl(46, 90, random.between(60, 80))}"/>`,
          )
    x += wide + width * 0.004
  }
  const sky = downwards('sky', [hsl(hue, 50, 12), hsl(hue + 20, 50, 34), hsl(hue + 70, 70, 60)])
  return svgDocument(size, `<defs>${sky}</defs><rect width="100%" height="100%" fill="url(#sky)"/>${houses.join('')}`)
}

/** Overlapping soft lights. */
export const glowScene: Scene = (random, size) => {
  const { width, height } = size
  const hue = random.whole(0, 359)
  const lights = Array.from({ length: 6 }, (_, n) => {
    const colour = hsl(hue + n * random.between(20, 50), 80, random.between(52, 70))
    return {
      stops: `<radialGradient id="g${n}"><stop offset="0" stop-color="${colour}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`,
      spot: `<ellipse cx="${round(random.next() * width)}" cy="${round(random.next() * height)}" rx="${round(width * random.between(0.3, 0.65))}" ry="${round(height * random.between(0.3, 0.65))}" fill="url(#g${n})"/>`,
    }
  })
  return svgDocument(
    size,
    `<defs>${lights.map(({ stops }) => stops).join('')}</defs><rect width="100%" height="100%" fill="${hsl(hue + 200, 45, 24)}"/>` +
      lights.map(({ spot }) => spot).join(''),
  )
}

/** Tiles of quarter circles. */
export const tilesScene: Scene = (random, size) => {
  const { width, height } = size
  const hue = random.whole(0, 359)
  const colours = [hsl(hue, 65, 45), hsl(hue + 30, 70, 62), hsl(hue + 180, 45, 32), hsl(hue + 60, 80, 86)] as const
  const side = Math.ceil(Math.max(width, height) / random.whole(6, 11))
  const shapes: string[] = []
  for (let x = 0; x < width; x += side)
    for (let y = 0; y < height; y += side) {
      const turn = random.whole(0, 3) * 90
      shapes.push(
        `<g transform="translate(${x} ${y})"><rect width="${side}" height="${side}" fill="${random.pick(colours)}"/>` +
          `<path transform="rotate(${turn} ${side / 2} ${side / 2})" d="M0 0H${side}A${side} ${side} 0 0 1 0 ${side}Z" fill="${random.pick(colours)}"/></g>`,
      )
    }
  return svgDocument(size, shapes.join(''))
}

/** A ball on its way around a ring. */
export const orbitScene: Scene = (random, size, turn) => {
  const { width, height } = size
  const hue = random.whole(0, 359)
  const [reach, r] = [Math.min(width, height) * 0.3, Math.min(width, height) * 0.1]
  const angle = turn * 2 * Math.PI
  const [x, y] = [width / 2 + Math.cos(angle) * reach, height / 2 + Math.sin(angle) * reach]
  return svgDocument(
    size,
    `<rect width="100%" height="100%" fill="${hsl(hue, 45, 18)}"/>` +
      `<circle cx="${width / 2}" cy="${height / 2}" r="${reach}" fill="none" stroke="${hsl(hue, 40, 40)}" stroke-width="6"/>` +
      `<circle cx="${round(x)}" cy="${round(y)}" r="${r}" fill="${hsl(hue + 40, 85, 62)}"/>`,
  )
}
