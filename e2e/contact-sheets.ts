// `node scripts/launch.mjs e2e/contact-sheets.ts` lays the pictures of test-results/screens side by side: a row for each screen
// or state, a column for each width and theme. Writes test-results/sheets/AREA-N.png, where the area is the first word of the screens.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { browserArgs, findHeadlessBrowser } from './browser.ts'

const results = fileURLToPath(new URL('../test-results/', import.meta.url))
const columns = ['360-light', '360-dark', '1440-light', '1440-dark']
const rowsPerSheet = 3

/** @returns the names of screens and states, without width and theme */
async function picturedRows(): Promise<string[]> {
  const files = await readdir(`${results}screens`)
  return [...new Set(files.flatMap((file) => /^(.*)-\d+-(?:light|dark)\.png$/.exec(file)?.[1] ?? []))].sort()
}

function sheet(rows: readonly string[]): string {
  const picture = (row: string, column: string) =>
    `<img alt="" class="${column.startsWith('360') ? 'phone' : 'laptop'}" src="../screens/${row}-${column}.png">`
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 12px; width: 1500px; font: 600 16px sans-serif; background: #888 }
    div { display: flex; align-items: flex-start; gap: 8px; margin: 2px 0 12px }
    img { object-fit: cover; object-position: top; height: 400px }
    .phone { width: 195px } .laptop { width: 540px; height: auto; max-height: 400px }
  </style>${rows.map((row) => `${row}<div>${columns.map((column) => picture(row, column)).join('')}</div>`).join('')}`
}

export async function main(): Promise<boolean> {
  const areas = new Map<string, string[]>()
  for (const row of await picturedRows()) {
    const area = row.split(/[-.]/)[0] ?? row
    areas.set(area, [...(areas.get(area) ?? []), row])
  }
  const sheets = `${results}sheets/`
  await rm(sheets, { recursive: true, force: true })
  await mkdir(sheets, { recursive: true })
  const browser = await chromium.launch({ ...(await findHeadlessBrowser()), args: browserArgs })
  try {
    const page = await browser.newPage({ viewport: { width: 1524, height: 900 } })
    for (const [area, rows] of areas)
      for (let at = 0; at < rows.length; at += rowsPerSheet) {
        const path = `${sheets}${area}-${at / rowsPerSheet + 1}`
        await writeFile(`${path}.html`, sheet(rows.slice(at, at + rowsPerSheet)))
        await page.goto(`file://${path}.html`)
        await page.screenshot({ path: `${path}.png`, fullPage: true })
      }
  } finally {
    await browser.close()
  }
  return true
}
