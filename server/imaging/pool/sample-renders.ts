// Renders of samples: whether a decoder process works at all, and whether watermarks have letters.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RenderJob } from '../protocol.ts'
import { workspacesFolder } from './workspace.ts'

type Render = (job: RenderJob) => Promise<unknown>

/** A grey pixel. */
const smallPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWPo6OgAAAM0AZmUse0HAAAAAElFTkSuQmCC'

/** 64 x 64 grey pixels: a watermark has room. */
const largerPng =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQMAAACQp+OdAAAAA1BMVEWAgICQdD0xAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQoz2NgGAWjgHwAAAJAAAGMxat3AAAAAElFTkSuQmCC'

/** @throws as `render` */
export async function renderSample(dataDir: string | undefined, render: Render): Promise<void> {
  await renderEach(dataDir, render, smallPng, [{}])
}

/** Without a font all letters look the same. @throws as `render` */
export async function drawsLetters(dataDir: string | undefined, render: Render): Promise<boolean> {
  const [narrow, wide] = await renderEach(dataDir, render, largerPng, [{ watermark: 'i' }, { watermark: 'W' }])
  return narrow === undefined || wide === undefined || !narrow.equals(wide)
}

/** @returns the files */
async function renderEach(
  dataDir: string | undefined,
  render: Render,
  png: string,
  marks: Pick<RenderJob, 'watermark'>[],
): Promise<Buffer[]> {
  const parent = dataDir === undefined ? tmpdir() : workspacesFolder(dataDir)
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(parent, 'self-test-'))
  try {
    const [sourcePath, outPath] = [join(folder, 'sample.png'), join(folder, 'sample.webp')]
    await writeFile(sourcePath, Buffer.from(png, 'base64'))
    const rendered: Buffer[] = []
    for (const mark of marks) {
      await render({ sourcePath, outPath, format: 'webp', fit: 'inside', quality: 80, animated: false, ...mark })
      rendered.push(await readFile(outPath))
    }
    return rendered
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
