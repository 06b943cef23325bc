// The other image servers of the benchmark peers, over one folder of photographs, each started as its
// documentation describes.
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Defer } from './resources.ts'
import { startChildServer } from './child.ts'
import { hasImageFilter, startImageFilter } from './image-filter.ts'
import { cycleThrough, type ImageFile } from './bench-images.ts'

export interface Peer {
  name: string
  url: string
  /** Of the one process that does the work; without it CPU time and memory are not reported. */
  pid?: number
  path(fileName: string, px: number): string
}

/** All widths that Next is built with: its configuration allows 50. */
export const widths = Array.from({ length: 50 }, (_, n) => 376 + n).filter((px) => px !== 400)

export interface Peers {
  all: Peer[]
  next: Peer & { pid: number }
}

/**
 * @param folder for Next's app; the photographs are in its public/
 * @param defer receives the stop function of each server
 * @throws if a server does not start: the benchmark runs only by name, so none is skipped
 */
export async function startPeers(folder: string, defer: Defer): Promise<Peers> {
  const files = join(folder, 'public')
  const ipx = await startChildServer('peers/ipx.mjs', [files])
  defer(ipx.end)
  const started = await startChildServer('peers/next.mjs', [folder, widths.join()])
  defer(started.end)
  const next = {
    name: "Next's optimizer",
    url: started.url,
    pid: started.pid,
    path: (name: string, px: number) => `/_next/image?url=/${name}&w=${px}&q=80`,
  }
  const all: Peer[] = [
    { name: 'IPX', url: ipx.url, pid: ipx.pid, path: (name, px) => `/w_${px},f_webp,q_80/${name}` },
    next,
  ]
  if (hasImageFilter) {
    const { url, stop } = await startImageFilter(files, join(folder, 'nginx'))
    defer(stop)
    all.push({ name: 'nginx image_filter, JPEG', url, path: (name, px) => `/${px}/${name}` })
  }
  return { all, next }
}

/** Copies `count` photographs into `target` under unique names. @returns the names */
export async function copyPhotographs(target: string, images: readonly ImageFile[], count: number): Promise<string[]> {
  await mkdir(target, { recursive: true })
  const names: string[] = []
  for (const [n, { path }] of cycleThrough(images, count).entries()) {
    const name = `picture-${n}.jpg`
    await copyFile(path, join(target, name))
    names.push(name)
  }
  return names
}
